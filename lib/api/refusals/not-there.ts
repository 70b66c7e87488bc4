import { z } from 'zod';

/** Parameters whose values are names of what there is. */
export const nameParameters = [
  'cluster',
  'label',
  'reconciler',
  'group',
  'kind',
  'namespace',
  'name',
  'by',
  'source',
] as const;
export type NameParameter = (typeof nameParameters)[number];

/** A name that was asked for and that nothing has; `nearest` are those that may have been meant, of the first ten names. */
export const WireNotThere = z.object({
  parameter: z.enum(nameParameters),
  value: z.string(),
  nearest: z.array(z.string()),
  /** The one cluster where it was looked for; absent: the whole fleet. */
  on: z.string().optional(),
});
export type WireNotThere = z.infer<typeof WireNotThere>;

/** Names that nothing has, in words: "There is no cluster nope. No object is known in namespace apsp." */
export function notThereSentence(names: readonly WireNotThere[]): string {
  return sentences(names, sentenceOf);
}

/** Names that are not there of which more is said than that: an address may hold thousands. */
export const namesSaid = 10;

/** A sentence each of the first names, and how many more there are. */
function sentences(names: readonly WireNotThere[], sentence: (name: WireNotThere) => string): string {
  const more = names.length - namesSaid;
  const rest = more > 0 ? [`So it is with ${more} more of the names that were asked for.`] : [];
  return [...names.slice(0, namesSaid).map(sentence), ...rest].join(' ');
}

/** The same with what may have been meant: "There is no cluster eu-wst-3: eu-west-3 is near." */
export function notThereAnswer(names: readonly WireNotThere[]): string {
  return sentences(names, (name) => {
    const { nearest } = name;
    const said = sentenceOf(name);
    return nearest.length === 0 ? said : `${said} Nearest: ${nearest.join(', ')}.`;
  });
}

function sentenceOf({ parameter, value, on }: WireNotThere): string {
  const where = on === undefined ? '' : ` on ${on}`;
  switch (parameter) {
    case 'cluster':
      return `There is no cluster ${value}.`;
    case 'label':
      return `No cluster has the label ${value}.`;
    case 'reconciler':
      return `No object of reconciler ${value} is known${where}.`;
    case 'group':
      return `No object of API group ${value} is known${where}.`;
    case 'kind':
      return `No object of kind ${value} is known${where}.`;
    case 'namespace':
      return `No object in namespace ${value} is known${where}.`;
    case 'name':
      return `No object named ${value} is known${where}.`;
    case 'by':
      return `No manager named ${value} is known${where}.`;
    case 'source':
      return `There is no alarm source ${value}.`;
  }
}
