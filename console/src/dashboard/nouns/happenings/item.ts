import type { LucideIcon } from 'lucide-react';
import type { Tone } from '../../../ui/layout/surface';
import type { Environment } from '../../operations/api';
import type { Piece } from '../words/pieces';

/** Something that happened: a row of the activity, or of a person's timeline. */
export interface Happening {
  readonly id: string;
  /** In ISO 8601 and UTC, so that texts compare as times do. */
  readonly at: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  /** One sentence. */
  readonly pieces: readonly Piece[];
  /** Why it failed, in a few words. */
  readonly reason?: string | undefined;
  /** Its record. */
  readonly to?: (environment: Environment) => string;
}
