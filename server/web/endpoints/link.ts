import { linkApi, type WireLink } from '#lib/api/embed.ts';
import { askerOf } from '../stream/asker.ts';
import { ofCaller } from './served.ts';

const notLinkMaker: WireLink = { type: 'not-signed', why: 'not-link-maker' };

/** A link shows what it shows to whoever has it: who may give that away has a role for it. */
export const link = ofCaller(linkApi, ({ present, viewer, request }, order) =>
  viewer.roles.has('link-maker') ? present.embeds.link(order, askerOf(request)) : Promise.resolve(notLinkMaker),
);
