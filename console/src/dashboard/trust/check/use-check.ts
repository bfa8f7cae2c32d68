import { isSvcError, type SignedHead } from '@svc/sdk';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAccount } from '../../operations/account';
import { svc } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import type { CheckResult, Part } from './check-everything';

/** Records that a browser keeps, which take 80 MB. As many that only the log has can come on top. */
const LIMIT = 100_000;

/** How many lines of each part were read, and how many there were before the check. */
export type Progress = Readonly<Record<Part, { readonly read: number; readonly of: number }>>;

export interface Check {
  readonly isPending: boolean;
  readonly data: CheckResult | undefined;
  readonly error: Error | null;
  /** An export ended before its last line. */
  readonly isIncomplete: boolean;
  readonly wasStopped: boolean;
  readonly progress: Progress | undefined;
  /** What is read at the moment. */
  readonly part: Part | undefined;
  start(): void;
  stop(): void;
}

/** Runs the check while the page is shown. */
export function useCheck(): Check {
  const environment = useEnvironment();
  const tenantId = useAccount().data?.tenant.id;
  const firstHead = useRef<SignedHead>(undefined);
  const running = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<Progress>();
  const [part, setPart] = useState<Part>();
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (): Promise<CheckResult | 'stopped'> => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      const onProgress = (part: Part, read: number) => {
        setPart(part);
        setProgress((before) => before && { ...before, [part]: { ...before[part], read } });
      };
      try {
        setPart('device');
        setProgress(undefined);
        const [{ wholeSvc, exportRecords, verifyAuditChain }, { checkEverything }, { counts }] =
          await Promise.all([
            import('../../operations/whole-svc'),
            import('./check-everything'),
            svc.request('consoleGetOverview', { query: { environment } }, { signal }),
          ]);
        setProgress(progressOf(counts));
        const options = { environment, tenantId, firstHead, signal, limit: LIMIT, onProgress };
        return await checkEverything({ wholeSvc, exportRecords, verifyAuditChain }, options);
      } catch (error) {
        if (signal.aborted) return 'stopped';
        throw error;
      } finally {
        setPart(undefined);
      }
    },
  });
  return {
    ...{ isPending, progress, part, error, isIncomplete: isSvcError(error, 'connection_cut') },
    wasStopped: data === 'stopped',
    data: data === 'stopped' ? undefined : data,
    start: () => mutate(),
    stop: () => running.current?.abort(),
  };
}

const progressOf = ({
  devices,
  users,
  verifications,
  attendance,
  audit,
}: Readonly<Record<'devices' | 'users' | 'verifications' | 'attendance' | 'audit', number>>): Progress => ({
  device: { read: 0, of: devices },
  user: { read: 0, of: users },
  verification: { read: 0, of: verifications },
  attendance: { read: 0, of: attendance },
  entries: { read: 0, of: audit },
});
