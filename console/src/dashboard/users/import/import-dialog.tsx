import { useEffect, useRef, useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { ChooseFile } from '../../../ui/forms/fields/choose-file';
import { useSending } from '../../../ui/forms/use-sending';
import { Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { formatNumber } from '../../../ui/numbers';
import { Progress } from '../../../ui/status/progress';
import { svc } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import { useReloadAfter } from '../../operations/send';
import { decode } from './decode';
import { Outcome } from './outcome';
import { people } from './people';
import { Preview } from './preview';
import { type ImportedPerson, type Line, MAX_LINES, readPeople, type Unreadable } from './read-people';
import { type Imported, sendPeople } from './send-people';

const MAX_BYTES = 10_000_000;

const UNREADABLE: Readonly<Record<Unreadable | 'too_large' | 'unknown_characters', string>> = {
  no_name_column: 'The first line has no column “Name” or “Full name”. Add one, and choose the file again.',
  no_people: 'The file has no lines below its first.',
  too_many: `The file has more than ${formatNumber(MAX_LINES)} people. Split it.`,
  broken_header: 'A quotation mark in the first line is not closed, or a text goes on after it.',
  unknown_characters:
    'The characters of this file cannot be read for certain. In your spreadsheet, save it as “CSV UTF-8”, and choose it again.',
  too_large: 'The file is larger than 10 MB. Split it.',
};

/** Resolves after that time, or when the signal aborts. */
const untilLater = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Adds the people of a file: chosen, looked at, sent with its progress, and what became of each line. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const [soFar, setSoFar] = useState<Imported>();
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const read = useSending({
    mutationFn: async (file: File) => {
      if (file.size > MAX_BYTES) return 'too_large';
      const decoded = decode(new Uint8Array(await file.arrayBuffer()));
      if (decoded === undefined) return 'unknown_characters';
      const people = readPeople(decoded.text);
      return typeof people === 'string' ? people : { people, isGuess: decoded.isGuess };
    },
  });
  const send = async (users: readonly ImportedPerson[]) => {
    const reply = await svc.request('importUsers', {
      query: { environment },
      body: { users: [...users] },
    });
    return reply.users.map(({ id }) => id !== null);
  };
  const add = useSending({
    mutationFn: (lines: readonly Line[]) => {
      const { signal } = stopping.current;
      return sendPeople(lines, {
        send,
        wait: (seconds) => untilLater(seconds, signal),
        onProgress: setSoFar,
        signal,
      });
    },
    onSettled: useReloadAfter('importUsers'),
  });
  const { people: file, isGuess = false } = typeof read.data === 'object' ? read.data : {};
  const fault = typeof read.data === 'string' ? UNREADABLE[read.data] : undefined;
  if (add.data) return <Outcome of={add.data} file={file} onClose={onClose} />;
  return (
    <Dialog title="Import people" busy={add.isPending} onClose={onClose}>
      <Stack>
        {file === undefined ? (
          <>
            <p>
              A table with one person a line, as a spreadsheet saves it (CSV). Its first line names the
              columns: a name, and if you have them e-mail, phone, external ID and employee code.
            </p>
            <ChooseFile
              label="Choose a file, or drop it here"
              hint={`CSV with up to ${formatNumber(MAX_LINES)} people`}
              accept=".csv,.tsv,.txt,text/csv"
              isBusy={read.isPending}
              onFile={(chosen) => read.mutate(chosen)}
            />
            {fault && <Notice tone="bad">{fault}</Notice>}
            {read.error && <Failure error={read.error} />}
          </>
        ) : (
          <Preview of={file} isGuess={isGuess} />
        )}
        {add.isPending && file && (
          <Progress
            label="People sent"
            value={file.lines.length - (soFar?.left.length ?? file.lines.length)}
            max={file.lines.length}
          >
            {formatNumber(file.lines.length - (soFar?.left.length ?? file.lines.length))} of{' '}
            {people(file.lines.length)}
            {soFar?.isWaiting && '. Going on in less than a minute, because the service limits how fast.'}
          </Progress>
        )}
        <DialogActions>
          {add.isPending ? (
            <Button onClick={() => stopping.current.abort()}>Stop</Button>
          ) : (
            <>
              <Cancel />
              {file && (
                <Button
                  look="primary"
                  disabled={file.lines.length === 0}
                  onClick={() => add.mutate(file.lines)}
                >
                  Add {people(file.lines.length)}
                </Button>
              )}
            </>
          )}
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
