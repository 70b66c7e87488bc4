import { linkApi } from '#lib/api/embed.ts';
import { ofPresent } from './served.ts';

export const link = ofPresent(linkApi, { ask: ({ embeds }, order) => embeds.link(order) });
