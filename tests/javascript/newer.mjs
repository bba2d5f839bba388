// Print what programs of respondents must not use: each name of a property, method, event or global that Chrome 80,
// Firefox 78 and Safari 14 do not all have. `npm pack @mdn/browser-compat-data` brings the table; then
// `node tests/javascript/newer.mjs package/data.json > tests/javascript/newer.txt`.

import { readFileSync } from "node:fs";

const OLDEST = { chrome: 80, firefox: 78, safari: 14 };
// What a page without pictures, sound, workers and frames can meet. All built-in objects of the language are added.
const INTERFACES = /^(Element|ElementInternals|HTML\w*|SVG\w*Element|Node|NodeList|Document|DocumentFragment|ShadowRoot|CharacterData|Text|Attr|DOM(TokenList|StringMap|Exception|Parser|Rect)|Range|Selection|(Mutation|Intersection|Resize)Observer|Window|Navigator|Screen|VisualViewport|MediaQueryList|History|Location|Event|EventTarget|(UI|Mouse|Pointer|Touch|Keyboard|Input|Focus|Composition|Submit|Storage|Toggle|Clipboard|PageTransition|BeforeUnload)Event|Storage|StorageManager|LockManager|Crypto|SubtleCrypto|Request|Response|Headers|FormData|Blob|File|URL|URLSearchParams|TextEncoder|TextDecoder|AbortSignal|AbortController|Animation|Performance|PerformanceNavigationTiming|CSSStyleDeclaration|ValidityState|CustomElementRegistry|structuredClone|fetch)$/;

// Return whether a browser has had a feature, under this name and without a switch, since a version at the latest.
function hasFeature(support, version) {
  const statements = [support].flat();
  return statements.some(({ version_added: added, version_removed: removed, flags, prefix, alternative_name: otherName }) => {
    const isPlain = !removed && !flags && !prefix && !otherName;
    return isPlain && Boolean(added) && added !== "preview" && parseFloat(added.replace("≤", "")) <= version;
  });
}

const isOld = ({ support }) => Object.entries(OLDEST).every(([browser, version]) => hasFeature(support[browser], version));

// Return each feature of an interface as [name, compat], that of the interface itself included.
function featuresOf(name, tree) {
  const members = Object.entries(tree).filter(([key, { __compat: compat }]) => key !== "__compat" && compat);
  const named = members.map(([key, { __compat: compat }]) => [key.replace(/_(static|event)$/, ""), compat]);
  return tree.__compat ? [[name, tree.__compat], ...named] : named;
}

const { api, javascript } = JSON.parse(readFileSync(process.argv[2]));
const interfaces = { ...javascript.builtins, ...javascript.builtins.Intl };
for (const [name, tree] of Object.entries(api)) {
  if (INTERFACES.test(name)) {
    interfaces[name] = tree;
  }
}
const oldNames = new Set();
const newNames = new Set();
for (const [name, tree] of Object.entries(interfaces)) {
  if (name !== "__compat") {
    for (const [feature, compat] of featuresOf(name, tree)) {
      (isOld(compat) ? oldNames : newNames).add(feature);
    }
  }
}
for (const [name, tree] of Object.entries(api)) {
  if (!INTERFACES.test(name)) {
    featuresOf(name, tree).filter(([, compat]) => isOld(compat)).forEach(([feature]) => oldNames.add(feature));
  }
}
const words = [...newNames].filter((name) => /^[A-Za-z]\w*$/.test(name) && !name.includes("_") && !oldNames.has(name));
process.stdout.write(`${words.sort().join("\n")}\n`);
