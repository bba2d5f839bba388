// Whole numbers as people type them: digits of every script, and a minus sign. A comma or a point
// separates decimals in one country and thousands in another, so a text that has one is no number
// here, and never becomes another number.

const DIGIT = /^\p{Nd}$/u;
// The minus signs are those of keyboards and of typography.
const WHOLE_NUMBER = /^[-\u2212\ufe63\uff0d]?\p{Nd}+$/u;
// Marks that Arabic and Hebrew keyboards write, and that nobody sees.
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;

/**
 * Return the value of a digit of any script, from 0 to 9. In each script the digits from 0 to 9
 * follow each other in Unicode, perhaps right after the ten digits of another script.
 */
function digitValue(digit) {
  const codePoint = digit.codePointAt(0);
  // The value is the distance from the digit 0 of the script. If other scripts end right before it,
  // their digits are counted too, ten for each, and the remainder drops them.
  let digitsBefore = 0;
  while (DIGIT.test(String.fromCodePoint(codePoint - digitsBefore - 1))) {
    digitsBefore += 1;
  }
  return digitsBefore % 10;
}

/** Return the whole number that a text is, or undefined if it is none. */
export function parseWhole(text) {
  const typed = text.replace(DIRECTION_MARKS, "").trim();
  if (!WHOLE_NUMBER.test(typed)) {
    return undefined;
  }
  const characters = [...typed];
  const digits = characters.filter((character) => DIGIT.test(character));
  const size = Number(digits.map(digitValue).join(""));
  // A character that is no digit can only be a minus sign here.
  const isNegative = digits.length < characters.length;
  // There is no negative zero.
  return isNegative && size !== 0 ? -size : size;
}
