import { useOperation } from '../../operations/operation';

const REFRESH_MS = 30_000;

/** The plan's limits and the calls of each month. A page that stays open learns of a used-up quota or a suspension within a minute. */
export const useUsage = () => useOperation('consoleGetUsage', {}, { refetchInterval: REFRESH_MS });
