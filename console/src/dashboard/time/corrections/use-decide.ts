import { isSvcError } from '@svc/sdk';
import { useSending } from '../../../ui/forms/use-sending';
import { svc } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import { useReloadAfter } from '../../operations/send';

export type Decision = 'agree' | 'contest';

export interface Decided {
  readonly done: number;
  /** What went wrong, by the correction. */
  readonly failed: readonly (readonly [id: string, error: unknown])[];
}

/**
 * Decides corrections, each with a request of its own. They follow one another, so that the reader confirms only once who they are. If
 * they don't, nothing is decided.
 */
export function useDecide(onDecided: (decided: Decided) => void) {
  const environment = useEnvironment();
  const reload = useReloadAfter('decideCorrection');
  return useSending({
    mutationFn: async ({
      ids,
      decision,
    }: {
      readonly ids: readonly string[];
      readonly decision: Decision;
    }) => {
      const failed: [string, unknown][] = [];
      for (const id of ids) {
        try {
          await svc.request('decideCorrection', { path: { id }, query: { environment }, body: { decision } });
        } catch (error) {
          if (failed.length === 0 && isSvcError(error, 'step_up_required')) throw error;
          failed.push([id, error]);
        }
      }
      return { done: ids.length - failed.length, failed };
    },
    onSuccess: async (decided) => {
      onDecided(decided);
      await reload();
    },
    onError: () => void reload(),
  });
}
