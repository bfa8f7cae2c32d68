import type { HoursVerdict } from '@svc/sdk/hours';
import type { ReactNode } from 'react';

/** Shows the name of a person of the file. */
export type PersonName = (userId: string, name: string | undefined) => ReactNode;

/** A file that was read to its end. */
export type Judged = Extract<HoursVerdict, { readonly conclusion: string }>;
