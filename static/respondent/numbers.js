// Whole numbers as people type them: digits of every script, and a minus sign. A comma or a point separates decimals in
// one country and thousands in another, so a text that has one is no number here, and never becomes another number.

const DIGIT = /^\p{Nd}$/u;
const WHOLE = /^[-\u2212\ufe63\uff0d]?\p{Nd}+$/u; // the minus signs of keyboards and of typography
const DIRECTION = /[\u061c\u200e\u200f]/g; // marks that keyboards of Arabic and Hebrew write, and nobody sees

// Return the value of a digit: in each script the digits follow each other from 0 to 9, perhaps right behind another ten.
function valueOf(digit) {
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(digit.codePointAt(0) - before - 1))) {
    before += 1;
  }
  return before % 10;
}

// Return the whole number that is typed, or undefined where the text is none.
export function parseWhole(text) {
  const typed = text.replace(DIRECTION, "").trim();
  if (!WHOLE.test(typed)) {
    return undefined;
  }
  const digits = [...typed].filter((character) => DIGIT.test(character)).map(valueOf);
  const isNegative = !DIGIT.test([...typed][0]);
  const size = Number(digits.join(""));
  return isNegative && size !== 0 ? -size : size;
}
