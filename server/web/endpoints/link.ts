import { linkApi } from '#lib/api/embed.ts';
import { listenerOf } from '../stream/listener.ts';
import { ofCaller } from './served.ts';

export const link = ofCaller(linkApi, ({ present, request }, order) => present.embeds.link(order, listenerOf(request)));
