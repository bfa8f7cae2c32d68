import type { OwnPostgres } from './test-databases.mjs';

export interface Cluster {
  readonly url: string;
  readonly machines: readonly OwnPostgres[];
  addMachine(): Promise<OwnPostgres>;
  remove(): Promise<void>;
}

export const SETTINGS: Record<string, string>;
export function findCitus(): { initdb: string; postgres: string } | undefined;
export function makeCluster(options?: {
  workers?: number;
  settings?: Record<string, string>;
}): Promise<Cluster>;
export function joinMachines(coordinator: string, workers: readonly string[]): Promise<void>;
// biome-ignore lint/suspicious/noExplicitAny: the rows of any statement
export function runOn(url: string, ...statements: readonly string[]): Promise<any[][]>;
