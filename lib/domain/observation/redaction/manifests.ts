import { isSecretName } from './named-values.ts';
import { redacted, secretSpan, spansBehind, type Finder, type Span } from './span.ts';
import { endOfBraces } from './value.ts';

const secretKind = /kind["']?\s{0,3}[:=]\s{0,3}["']?Secret\b|\bSecret\.v1\b|\bv1\.Secret\b|\bcore\.Secret\b/i;
const dataKey = /(?<![a-z])(?:string|binary)?data["']?\s{0,3}:/i;

/** data and stringData as JSON, and as Go writes a map. */
const dataObject =
  /(?<![a-z])(?:string|binary)?data["']?\s{0,3}:\s{0,3}(?:map\[string\](?:\[\](?:uint8|byte)|string)?\s?(?=\{)|map)?(?=[{[])/gi;

/** Bytes as Go writes them. */
const bytes = /(\[\](?:uint8|byte))(?:\{[^}]{0,8000}\}?|\("[^"]{0,8000}(?:"\))?)/g;

/** A name and its value as two fields: an environment variable, an entry of a list, a JSON patch (`path`). Up to three fields may stand between. */
const pair =
  /((?:\b|["'])(?:name|key|path)["']?\s{0,3}[:=]\s{0,3}["']?([\w.~/-]{1,128})["']?[,;]?\s{0,40}(?:["']\w{1,32}["']\s{0,3}:\s{0,3}(?:"[^"]{0,128}"|[\w.+-]{1,64})\s{0,3},\s{0,3}){0,3}["']?\bvalue["']?\s{0,3}[:=]\s{0,3})("(?:[^"\\]|\\.){0,2000}(?:"|$)|'[^']{0,2000}(?:'|$)|[^\s,;&"'{}[\])<|>][^\s,;&"'{}[\])<]*)/gi;

/** The same, the value first. */
const pairReversed =
  /(["']value["']\s{0,3}:\s{0,3})("(?:[^"\\]|\\.){0,2000}"|[\w.+-]{1,200})(?=\s{0,3},\s{0,3}(?:["']\w{1,32}["']\s{0,3}:\s{0,3}(?:"[^"]{0,128}"|[\w.+-]{1,64})\s{0,3},\s{0,3}){0,3}["'](?:name|key|path)["']\s{0,3}:\s{0,3}["']([\w.~/-]{1,128})["'])/gi;

/** A value that the API server refuses: it says where (ahead of this), and repeats it. */
const refused = /((?:Invalid|Unsupported|Duplicate) value: )("(?:[^"\\]|\\.){0,4000}(?:"|$)|[^\s":{[]{1,253}(?=: ))/g;
/** The same as an object or a list, up to its brace: `{"a":"x"}`, `[]string{"x"}`, `map[string]interface {}{"a":"x"}`. */
const refusedObject = /((?:Invalid|Unsupported|Duplicate) value: )(?:[\w.*[\]]{0,64}(?: \{\})?(?=\{)|(?=\[[^\]]))/g;
const refusals: readonly string[] = ['invalid value', 'unsupported value', 'duplicate value'];
/** The same of server-side apply: `expected string, got &value.valueUnstructured{Value:1}`, `expected map, got &{x}`. */
const unexpected = /(\bexpected \w{1,20}, got )&[\w.]{0,64}(?=[{[])/g;
/** Of what json-iterator reads it repeats two parts: where it stopped, and more around that. */
const jsonContext = /(error found in #\d{1,9} byte of )\.{3}\|/g;
const placeAhead = /[\w.[\]='"/~-]{1,253}(?=: $)/;
const longestPlace = 255;

/** Parts of paths whose values name things, so that people need to read them. */
const namesThings =
  /(?:^|\.)(?:metadata\.(?:name|namespace|generateName|labels|resourceVersion)|resourceVersion|labels|matchLabels|selector|nodeSelector|hosts?|url|operator|algorithm|region|zone|mode|strategy|effect|format|kind|apiVersion|name|namespace|image|path|interval|timeout|schedule|type|version|replicas|protocol|port|storageClassName|serviceAccountName|[a-z]\w*Policy)(?:[.[]|$)/;
const typeName = /^"?(?:object|array|string|integer|number|boolean|null)"?$/;

/** Contents of Secrets, environments and refused fields, as the API server and its clients repeat them in errors. */
export const manifests: readonly Finder[] = [
  { words: ['secret'], find: secretManifest },
  { words: ['data'], find: dataObjects },
  { words: ['[]uint8', '[]byte'], find: (text) => spansBehind(text, bytes) },
  { words: ['value'], find: (text) => spansBehind(text, pair, (_, match) => isSecretPlace(match[2] ?? '')) },
  { words: ['value'], find: (text) => spansBehind(text, pairReversed, (_, match) => isSecretPlace(match[3] ?? '')) },
  { words: refusals, find: (text) => spansBehind(text, refused, isRefusedSecret) },
  { words: refusals, find: (text) => bracedBehind(text, refusedObject) },
  { words: [', got &'], find: (text) => bracedBehind(text, unexpected) },
  { words: ['byte of ...|'], find: jsonContexts },
];

/** Of a manifest of a Secret everything from its data on: what follows may be another of its keys. */
function secretManifest(text: string): readonly Span[] {
  const data = secretKind.test(text) ? dataKey.exec(text) : null;
  if (data === null) return [];
  return [{ from: data.index + data[0].length, to: text.length, instead: ` ${redacted}` }];
}

function dataObjects(text: string): readonly Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(dataObject)) {
    const from = match.index + match[0].length;
    if (from < done || text.startsWith('{}', from)) continue;
    done = endOfBraces(text, from);
    spans.push(secretSpan(from, done));
  }
  return spans;
}

function isSecretPlace(name: string): boolean {
  return /\/(?:stringD|d)ata\//.test(name) || isSecretName(name.slice(name.lastIndexOf('/') + 1));
}

function isRefusedSecret(value: string, match: RegExpExecArray): boolean {
  if (typeName.test(value) || /^(?:"?-?\d+(?:\.\d+)?"?|""|true|false)$/.test(value)) return false;
  return !isOfThings(placeOf(match));
}

/** Objects behind what a pattern matches up to their brace, but of those that name things. */
function bracedBehind(text: string, ahead: RegExp): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(ahead)) {
    const from = match.index + (match[1]?.length ?? 0);
    if (from < (spans.at(-1)?.to ?? 0) || isOfThings(placeOf(match))) continue;
    spans.push(secretSpan(from, endOfBraces(text, match.index + match[0].length)));
  }
  return spans;
}

/** From the first context to the end of the last: what is read may hold the signs between which it stands. */
function jsonContexts(text: string): readonly Span[] {
  const first = text.matchAll(jsonContext).next().value;
  if (first === undefined) return [];
  const from = first.index + (first[1]?.length ?? 0);
  const end = text.lastIndexOf('|...');
  return [secretSpan(from, end > first.index + first[0].length ? end + 4 : text.length)];
}

function placeOf({ input, index }: RegExpExecArray): string {
  return placeAhead.exec(input.slice(Math.max(0, index - longestPlace), index))?.[0] ?? '';
}

function isOfThings(place: string): boolean {
  return namesThings.test(place) && !isSecretName(place);
}
