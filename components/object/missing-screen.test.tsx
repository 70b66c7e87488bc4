import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage } from '../testing/show-page.tsx';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { lastGood, wireObject, wireTransition } from '../testing/wire-object.ts';
import { MissingCluster, MissingObject } from './missing-screen.tsx';

const { cluster, group, kind, namespace } = wireObject();
const wanted = { cluster, group, kind, namespace, name: 'chekout' };

it('an object that is not there: the nearest names, each a link', () => {
  showPage(
    <MissingObject
      wanted={wanted}
      nearest={[{ ...wanted, name: 'checkout' }]}
      summary={wireFleetSummary()}
      moment={null}
    />,
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'There is no Kustomization flux-system/chekout on eu-west-3.',
  );
  expect(screen.getByRole('link', { name: 'checkout on eu-west-3' }).getAttribute('href')).toBe(
    wireObject().links.self,
  );
  expect(screen.getByRole('link', { name: 'Everything on eu-west-3' })).toBeTruthy();
});

it('an object that is gone: when it went, and how it was', () => {
  const last = wireTransition(5, null, { from: 'diverged', commit: lastGood });
  showPage(<MissingObject wanted={wanted} nearest={[]} last={last} summary={wireFleetSummary()} moment={null} />);
  expect(screen.getByText(/^It was removed/).textContent).toMatch(
    /^It was removed from the cluster at 21 Nov( 2026)? 02:54:14 UTC: it was diverged at 2d81e55\.$/,
  );
});

it('an object on a cluster that is not there: the nearest clusters', () => {
  const none = { cluster: 'eu-west-3b', group: '', kind: '', namespace: '', name: '' };
  showPage(<MissingObject wanted={wanted} nearest={[none]} summary={wireFleetSummary()} moment={null} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('There is no cluster eu-west-3.');
  expect(screen.getByRole('link', { name: 'eu-west-3b' }).getAttribute('href')).toBe('/clusters/eu-west-3b');
});

it('a cluster that is not there', () => {
  showPage(<MissingCluster name="stg-edg" nearest={[]} summary={wireFleetSummary()} moment={null} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('There is no cluster stg-edg.');
  expect(screen.getByText('Nothing has a name like it.')).toBeTruthy();
});
