import type { Deps } from '../../http/deps.js';
import type { Read } from '../../ledger/write.js';
import type { SiteRow } from '../sites/sites.js';

/** Writes the file of a month. Another feature does, because it also reads what only later ones know. */
export type WriteHours = (
  context: {
    readonly deps: Deps;
    readonly read: Read;
    /** The name of the account. */
    readonly company: string;
    /** Called before each part but the first. Throws if the reader may read no more. */
    readonly requireReader: () => Promise<void>;
  },
  asked: HoursAsked,
) => Promise<AsyncGenerator<string>>;

/** Which month of which site. `from` is the size of a tree that the reader kept. */
export interface HoursAsked {
  readonly site: SiteRow;
  readonly month: string;
  readonly userId?: string | undefined;
  readonly from?: number | undefined;
}
