/** Strings that many packed values share, by number. A string has one number for as long as the table lives. */
export interface StringTable {
  /**
   * The number of a text that is shared, or that becomes so now because values of several owners hold it; null where it is to be
   * written out. A text that only one owner repeats (its uid, its own sentence) never becomes shared.
   */
  numberOf(text: string, owner: string): number | null;
  /** The string of a number that `numberOf` gave. */
  string(number: number): string;
  size(): number;
}

/** From how many uses by changing owners a text is shared: below that, the table costs more than it saves. */
const usesToShare = 4;
const longest = 512;
/** Texts that may become shared, in two generations. */
const candidatesAtMost = 20_000;

interface Candidate {
  owner: string;
  seen: number;
}

/** Starts an empty table of at most `most` strings (about 150 bytes each); past that, texts are written out. */
export function createStringTable(most = 200_000): StringTable {
  const strings: string[] = [];
  const numbers = new Map<string, number>();
  let candidates = new Map<string, Candidate>();
  let former = new Map<string, Candidate>();

  function consider(text: string, owner: string): number | null {
    const known = candidates.get(text) ?? former.get(text);
    if (known === undefined) {
      if (candidates.size >= candidatesAtMost) {
        former = candidates;
        candidates = new Map();
      }
      candidates.set(text, { owner, seen: 1 });
      return null;
    }
    if (known.owner === owner) return null;
    known.owner = owner;
    known.seen += 1;
    if (known.seen < usesToShare) return null;
    candidates.delete(text);
    former.delete(text);
    const string = copyOf(text);
    numbers.set(string, strings.length);
    return strings.push(string) - 1;
  }

  return {
    numberOf(text, owner) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      return text.length > longest || strings.length >= most ? null : consider(text, owner);
    },
    string(number) {
      const found = strings[number];
      if (found === undefined) throw new Error(`there is no string ${number}`);
      return found;
    },
    size: () => strings.length,
  };
}

/** True if every character of a text fits into a byte. */
export function isLatin(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 255) return false;
  return true;
}

/** The text may be a part of something long, which it would keep alive. */
function copyOf(text: string): string {
  const encoding = isLatin(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
