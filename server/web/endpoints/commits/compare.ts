import { compareApi } from '#lib/api/git/compare.ts';
import { comparePage } from '../../compare/compare-page.ts';
import { ofPresent } from '../served.ts';

export const compare = ofPresent(compareApi, { ask: comparePage });
