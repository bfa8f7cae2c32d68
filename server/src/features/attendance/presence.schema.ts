import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import { count, exampleText, Nullable, strictObject, Timestamp, uuid } from '../../records/schema.js';

const Moment = (description: string, example: string) =>
  Nullable(Type.String({ format: 'date-time', description, examples: [example] }));

export const PresenceReply = strictObject({
  since: Timestamp,
  present: { ...count(148), description: 'People whose last event since then is an accepted check-in.' },
  gone: { ...count(64), description: 'People whose last event since then is an accepted check-out.' },
  people: Type.Array(
    strictObject({
      userId: uuid(ids.user),
      userName: Nullable(exampleText('Ada Lovelace')),
      stays: Type.Array(
        strictObject({
          from: Moment('The check-in. Null: it was before `since`.', '2026-05-12T06:58:12.000Z'),
          to: Moment('The check-out. Null: the person is present.', '2026-05-12T15:04:41.000Z'),
        }),
        { description: 'Oldest first.' },
      ),
    }),
    { description: 'At most 50: those who came last, then those who left last.' },
  ),
});
