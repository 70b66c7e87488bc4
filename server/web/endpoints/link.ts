import { linkApi, type WireLink } from '#lib/api/embed.ts';
import { listenerOf } from '../stream/listener.ts';
import { ofCaller } from './served.ts';

const notLinkMaker: WireLink = { type: 'not-signed', why: 'not-link-maker' };

/** A link shows what it shows to whoever has it: who may give that away has a role for it. */
export const link = ofCaller(linkApi, ({ present, viewer, request }, order) =>
  viewer.roles.has('link-maker') ? present.embeds.link(order, listenerOf(request)) : Promise.resolve(notLinkMaker),
);
