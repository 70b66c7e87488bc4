import { describe } from 'vitest';
import { useStore, type StoreUnderTest } from './store-bench.ts';
import { describeAlarmFigures } from './alarms/alarm-figures.contract.ts';
import { describeAlarms } from './alarms/alarm-sources.contract.ts';
import { describeCalls } from './alarms/calls.contract.ts';
import { describeFirstCalls } from './alarms/first-calls.contract.ts';
import { describeChanges } from './store-changes.contract.ts';
import { describeForgetting } from './store-forgetting.contract.ts';
import { describeFollowing } from './store-following.contract.ts';
import { describeIncidents } from './store-incidents.contract.ts';
import { describeRecord } from './store-record.contract.ts';
import { describeRecordWriting } from './store-record-writing.contract.ts';
import { describeSources } from './store-sources.contract.ts';
import { describeWriting } from './store-writing.contract.ts';

/** The contract of the store's port: every engine passes it. `open` gives an empty store each time. */
export function describeStore(engine: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${engine}`, () => {
    useStore(open, (bench) => {
      describeFollowing(bench);
      describeSources(bench);
      describeWriting(bench);
      describeRecordWriting(bench);
      describeForgetting(bench);
      describeChanges(bench);
      describeRecord(bench);
      describeIncidents(bench);
      describeAlarms(bench);
      describeCalls(bench);
      describeAlarmFigures(bench);
      describeFirstCalls(bench);
    });
  });
}
