/** The last moment that is taken from anybody, ms: a year of five digits is no RFC 3339, and nothing that is reckoned from it may leave what a date can hold. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
