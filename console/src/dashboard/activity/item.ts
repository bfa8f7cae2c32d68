import type { LucideIcon } from 'lucide-react';
import type { Tone } from '../../ui/layout/surface';
import type { Environment } from '../api';
import type { Piece } from '../audit/words/pieces';
import type { Timed } from './merge';

/** Something that happened: a row of the activity, or of a person's timeline. */
export interface Happening extends Timed {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  /** One sentence. */
  readonly pieces: readonly Piece[];
  /** Why it failed, in a few words. */
  readonly reason?: string | undefined;
  /** Its record. */
  readonly to?: (environment: Environment) => string;
}
