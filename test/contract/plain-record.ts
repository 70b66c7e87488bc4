export { plainRecord, type PlainHistory } from '#server/store/testing/plain-record.ts';
