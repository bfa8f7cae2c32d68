import type { PersonSheet, SheetPage } from '@svc/sdk';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { ListPage } from '../../../../ui/lists/list';
import { useSend } from '../../../operations/send';
import { t } from '../../language/strings';

type Mark = PersonSheet['marks'][number];
/** What was read of sheets: one person’s, or pages of a site’s. */
type Read = SheetPage | InfiniteData<ListPage<PersonSheet>> | undefined;

/** Adds and removes marks of a person. */
export function useMarks(userId: string, { onAdded }: { readonly onAdded: () => void }) {
  const change = useChange(userId);
  return {
    add: useSend('createAttendanceMark', {
      done: t.mark.added,
      onSuccess: ({ mark }) => {
        change(mark.date, (marks) => [...marks.filter(({ id }) => id !== mark.id), mark]);
        onAdded();
      },
    }),
    remove: useSend('deleteAttendanceMark', {
      done: t.mark.removed,
      onSuccess: ({ mark }) => change(mark.date, (marks) => marks.filter(({ id }) => id !== mark.id)),
    }),
  };
}

/**
 * Changes the marks in what was read. To read it again would be one more look at the sheet, which the log has and the person’s phone
 * shows.
 */
function useChange(userId: string) {
  const queries = useQueryClient();
  return (date: string, change: (marks: readonly Mark[]) => readonly Mark[]) => {
    const changed = (person: PersonSheet): PersonSheet =>
      person.userId === userId && date.startsWith(person.sheet.month)
        ? { ...person, marks: change(person.marks) }
        : person;
    queries.setQueriesData<Read>({ queryKey: ['listSheets'] }, (read) => {
      if (read === undefined) return read;
      if ('sheets' in read) return { ...read, sheets: read.sheets.map(changed) };
      return { ...read, pages: read.pages.map((page) => ({ ...page, items: page.items.map(changed) })) };
    });
  };
}
