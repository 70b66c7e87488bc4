import { describeKubeApi } from '../contract/kube-api.contract.ts';
import { buildPrograms } from './build.ts';
import { openRealApi } from './kube-api-bench.ts';
import { notRun } from './report.ts';

const results = await buildPrograms((line) => void process.stdout.write(`  ${line}\n`));
const etcd = results.get('etcd');
const apiServer = results.get('kube-apiserver');
const refused = [etcd, apiServer].flatMap((result) => (result?.type === 'refused' ? [result] : []));
const reason = refused.map(({ program, why }) => `${program} could not be built: ${why}`).join('; ');
if (refused.length > 0) await notRun([{ name: 'the contract of the Kubernetes API', reason }]);

describeKubeApi(
  'kube-apiserver',
  etcd?.type === 'built' && apiServer?.type === 'built'
    ? () => openRealApi({ etcd: etcd.binary, apiServer: apiServer.binary })
    : null,
);
