import { linkApi } from '#lib/api/embed.ts';
import { refuse } from '../http/problem.ts';
import { listenerOf } from '../stream/listener.ts';
import { ofCaller } from './served.ts';

/** A link shows what it shows to whoever has it: who may give that away has a role for it. */
export const link = ofCaller(linkApi, ({ present, request, viewer }, order) =>
  viewer.roles.has('link-maker')
    ? present.embeds.link(order, listenerOf(request))
    : refuse({ type: 'forbidden', message: 'Links are signed to who has the role link-maker.' }),
);
