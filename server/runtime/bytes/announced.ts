import type { ClientRequest } from 'node:http';

/** Answers that only announce one (HTTP 1xx) before it. */
const most = 100;

/** Why a request is ended, a clause. */
export const onlyAnnounced = 'it announces an answer, and sends none';

/** Has a request refused whose answer is announced again and again. */
export function refuseAnnounced(request: ClientRequest, refuse: () => void): void {
  let announced = 0;
  request.on('information', () => {
    announced += 1;
    if (announced === most + 1) refuse();
  });
}
