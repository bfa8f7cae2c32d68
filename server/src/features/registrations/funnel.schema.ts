import { count, strictObject } from '../../records/schema.js';

const counted = (example: number, description: string) => ({ ...count(example), description });

export const FunnelReply = strictObject({
  opened: counted(120, 'Registrations that were opened.'),
  scanned: counted(110, 'Those whose code a phone read.'),
  committed: counted(104, 'Those whose phone created its key.'),
  completed: counted(101, 'Those that are complete.'),
});
