import { type AlarmLink, alarmLinks } from '../alarm/link.ts';

/** The first broken link of most objects that are silent: how many have it, and how many are silent. */
export interface BrokenLink {
  readonly link: AlarmLink;
  readonly objects: number;
  readonly silent: number;
}

/** The link that most have, of the first broken link of each object that is silent; of those that are as many the first of the chain. null for none. */
export function brokenOf(links: readonly AlarmLink[]): BrokenLink | null {
  const counts = alarmLinks.map((link) => ({ link, objects: links.filter((other) => other === link).length }));
  const most = counts.reduce((a, b) => (b.objects > a.objects ? b : a));
  return most.objects === 0 ? null : { ...most, silent: links.length };
}
