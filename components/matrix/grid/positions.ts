import type { WireRow } from '#lib/api/fleet.ts';
import type { Place } from './order.ts';

/** The section of rows that are away and silent, above all groups. No label can have this value. */
export const silentSection = '\u0000silent';

/** From so many rows on, silent ones are pinned above all groups: in a shorter matrix they are in sight where they belong. */
const pinFrom = 25;
/** From so many rows on, those in order are folded. */
const foldFrom = 61;

/** Where each row of a fleet belongs, in the server's order: silent ones first, then groups. */
export function placesOf(rows: readonly WireRow[]): readonly Place[] {
  const pin = rows.length >= pinFrom;
  const fold = rows.length >= foldFrom;
  const places = rows.map((row): Place => {
    const silent = pin && row.silent > 0;
    return { id: row.cluster, section: silent ? silentSection : row.group, folded: fold && inOrder(row) };
  });
  return [...places.filter(isSilent), ...places.filter((place) => !isSilent(place))];
}

function isSilent(place: Place): boolean {
  return place.section === silentSection;
}

/** True if a cluster is seen and everything on it that can be observed is converged at the newest commit. */
function inOrder(row: WireRow): boolean {
  return (
    row.state === 'live' &&
    (row.worst === null || row.worst === 'converged') &&
    row.marks.every((mark) => mark.declared === true)
  );
}
