// Checks of what comes in. A wrong number stops the program with an error; it never becomes a report.

const MAX_DEN = 2 ** 32;

export function whole(name, value, low, high) {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} is ${JSON.stringify(value)}; allowed is a whole number from ${low} to ${high}`);
  }
  return value;
}

export function den(value) {
  return whole("den", value, 2, MAX_DEN);
}

export function size(value) {
  return whole("size", value, 2, MAX_DEN);
}

// `size` rows of `size` whole numbers, each row summing to den.
export function rows(value, length, den) {
  if (!Array.isArray(value) || value.length !== length) {
    throw new RangeError(`rows is ${JSON.stringify(value)}; allowed is a list of ${length} rows`);
  }
  for (const row of value) {
    if (!Array.isArray(row) || row.length !== length) {
      throw new RangeError(`rows holds ${JSON.stringify(row)}; allowed are ${length} whole numbers`);
    }
    const sum = row.reduce((total, weight) => total + whole("rows", weight, 0, den), 0);
    if (sum !== den) {
      throw new RangeError(`rows holds ${JSON.stringify(row)}; allowed is a row that sums to den = ${den}`);
    }
  }
  return value;
}

// Different indices from 0 to size - 1, as a Set.
export function indexSet(name, value, size) {
  if (!Array.isArray(value)) {
    throw new RangeError(`${name} is ${JSON.stringify(value)}; allowed is a list of whole numbers`);
  }
  const chosen = new Set(value.map((index) => whole(name, index, 0, size - 1)));
  if (chosen.size !== value.length) {
    throw new RangeError(`${name} is ${JSON.stringify(value)}; allowed is each number once`);
  }
  return chosen;
}
