import { goApi, type GoQuery, type WireGo } from '#lib/api/pager/go.ts';
import type { KnownMoment } from '../../fleet/known-moment.ts';
import { goAnswer } from '../../go/go-answer.ts';
import { resolved } from '../../go/resolved.ts';
import { incidents } from '../incidents/incidents.ts';
import { ofReadMoment, type AskedByCall } from '../served.ts';

export const go: AskedByCall<KnownMoment, typeof GoQuery, typeof WireGo> = ofReadMoment(goApi, {
  ask: resolved,
  answer: ({ present, past }, query) =>
    goAnswer(
      {
        now: present.now(),
        resolve: (asked) => resolved(present, asked),
        resolveThen: (moment, asked) => moment.ask(go, asked),
        incidents: async (filter, moment) =>
          moment === null ? incidents.ask(present, filter) : moment.ask(incidents, filter),
        past,
      },
      query,
    ),
});
