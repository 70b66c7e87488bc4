/** Why a source that was forgotten is not read. */
export const notConfigured = 'It is configured no longer.';
