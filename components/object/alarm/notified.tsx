import type { WireObjectPage } from '#lib/api/object.ts';
import { LinkGlyph } from '../../ui/link-glyph.tsx';

/** Notifications of Flux for the object, beside the chain: which Alerts cover it, and how far each gets. */
export function NotifiedPart({ page: { notified } }: { readonly page: WireObjectPage }) {
  if (notified === null) return null;
  const { text, mend, counted, alerts } = notified;
  return (
    <>
      <h3 className="mt-3 text-mute">What Flux tells</h3>
      <p className="max-w-[74ch]">
        {text}{' '}
        <span className="text-mute">
          {counted ? 'It counts as an alarm.' : 'A message in a channel is no page: it does not count as an alarm.'}
        </span>
      </p>
      {mend !== null && <p className="max-w-[74ch]">Mend: {mend}</p>}
      {alerts.length > 1 && (
        <ul aria-label="Alerts of Flux that cover it, or may">
          {alerts.map((alert) => (
            <li key={alert.text}>
              <LinkGlyph state={alert.state === 'unclear' ? 'unknown' : alert.state} /> {alert.text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
