// Window: numbers and ordered scales. The report is one whole number; those in a window that begins at the truth have
// the weight `high`, all others `low`.

import { den, logRatio, uniform, whole } from "./draw.js";

const MOST_VALUES = 1001;

function reports(spec) {
  return spec.size - 1 + spec.width * (1 + (spec.aside ?? 0));
}

// The first report in the window of a truth. Truth `size` is the answer aside, which is no number; its window stands
// behind all others.
function startOf(spec, truth) {
  return truth < spec.size ? truth : spec.size - 1 + spec.width;
}

export const window = {
  check(spec) {
    whole("size", spec.size, 2, MOST_VALUES);
    whole("width", spec.width, 1, 2 * spec.size);
    whole("aside", spec.aside ?? 0, 0, 1);
    den(spec.den);
    whole("low", spec.low, 1, spec.den);
    whole("high", spec.high, spec.low + 1, spec.den);
    const sum = spec.width * spec.high + (reports(spec) - spec.width) * spec.low;
    if (sum !== spec.den) {
      throw new RangeError(`den is ${spec.den}; allowed with these weights is ${sum}`);
    }
  },

  // truth: the index of the value; `size` for the answer aside. Returns a whole number, from one uniform draw.
  randomize(spec, truth, nextUint32) {
    const start = startOf(spec, whole("truth", truth, 0, spec.size - 1 + (spec.aside ?? 0)));
    const inside = spec.width * spec.high;
    const drawn = uniform(spec.den, nextUint32);
    if (drawn < inside) {
      return start + Math.floor(drawn / spec.high);
    }
    const other = Math.floor((drawn - inside) / spec.low);
    return other < start ? other : other + spec.width;
  },

  // Every report is in the window of some truth and outside that of another.
  epsilon(spec) {
    return logRatio(spec.high, spec.low);
  },

  contrast(spec) {
    const { width, high, den: all } = spec;
    return { shape: "band", chosen: [BigInt(width) * BigInt(high), all], other: [width, reports(spec)] };
  },

  // rows[truth][report].
  probabilities(spec) {
    return Array.from({ length: spec.size + (spec.aside ?? 0) }, (_, truth) => {
      const start = startOf(spec, truth);
      return Array.from({ length: reports(spec) }, (_, report) => {
        return (report >= start && report < start + spec.width ? spec.high : spec.low) / spec.den;
      });
    });
  },
};
