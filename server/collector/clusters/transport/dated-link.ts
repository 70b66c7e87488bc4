import type { DateSample } from '#lib/domain/time/clock-skew.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Link } from './link.ts';

/**
 * A link that reports the Date of every answer beside our clock. An answer with an Age is a cache's, and older than it says; one
 * without a Date is not reported.
 */
export function datedLink(link: Link, clock: Clock, onDated: (sample: DateSample) => void): Link {
  return {
    ...link,
    open(request, use, exchange) {
      const sentAt = clock.now();
      return link.open(request, use, {
        head(status, header) {
          const date = Date.parse(header('date') ?? '');
          if (!Number.isNaN(date) && Number(header('age') ?? 0) === 0)
            onDated({ date, sentAt, receivedAt: clock.now() });
          exchange.head(status, header);
        },
        data: (chunk) => exchange.data(chunk),
        end: (lost) => exchange.end(lost),
      });
    },
  };
}
