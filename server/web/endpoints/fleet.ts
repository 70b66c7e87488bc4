import { fleetApi } from '#lib/api/fleet.ts';
import { scopeOf } from '#lib/api/scope.ts';
import { missingIn } from '../requested/not-there.ts';
import { reconcilersOf } from '../wire/lists/object-list.ts';
import { ofAnyMoment } from './served.ts';

const hint = `clusters:
  - name: eu-west-3
    kubeconfig: ./eu-west-3.yaml
    labels: { environment: production }
`;

export const fleet = ofAnyMoment(fleetApi, {
  ask(moment, { causes, ...view }) {
    const all = moment.fleet.all(moment.now());
    const answer = () => {
      const { columns, rows, labels } = moment.board(view);
      return {
        summary: moment.summary(causes, scopeOf(view)),
        columns: [...columns],
        rows: [...rows],
        labels: [...labels],
        reconcilers: reconcilersOf(all),
        hint: all.length === 0 ? hint : null,
      };
    };
    return missingIn(all, view) ?? answer();
  },
});
