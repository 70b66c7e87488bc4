import { neighboursApi } from '#lib/api/object.ts';
import { neighboursOf } from '../wire/object/neighbours.ts';
import { noObject } from './object.ts';
import { ofAnyMoment } from './served.ts';

export const neighbours = ofAnyMoment(neighboursApi, {
  ask(moment, ref) {
    const now = moment.now();
    const object = moment.find(ref, now);
    return object ? neighboursOf(object, moment.fleet.all(now), moment.context(now)) : noObject(moment, ref);
  },
});
