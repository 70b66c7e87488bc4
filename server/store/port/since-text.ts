import { day } from '#lib/domain/time/length.ts';

/** The beginning of something that lasts at `now` (both ms), for people: "12:00:04 UTC", with its date where it is a day ago. */
export function sinceText(since: number, now: number): string {
  const [date, time] = new Date(since).toISOString().split(/[T.]/);
  return `${now - since < day ? time : `${date} ${time}`} UTC`;
}
