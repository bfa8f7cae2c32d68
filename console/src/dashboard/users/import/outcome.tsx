import { useEffect, useState } from 'react';
import { Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button, ButtonAnchor } from '../../../ui/forms/button';
import { Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { formatNumber } from '../../../ui/numbers';
import style from './outcome.module.css';
import { leftOutBy, people } from './people';
import { type PeopleFile, writePeople } from './read-people';
import type { Imported } from './send-people';

/** As many lines as a dialog can show with a reason each. */
const SHOWN_WRONG = 20;

/** What became of the lines of a file. */
export function Outcome({
  of: { added, known, wrong, left, error },
  file,
  onClose,
}: {
  readonly of: Imported;
  readonly file: PeopleFile | undefined;
  readonly onClose: () => void;
}) {
  const leftOut = file?.leftOut ?? [];
  const again = [
    ...wrong.map(({ line: { person }, why }) => ({ person, why })),
    ...left.map(({ person }) => ({ person, why: 'Not sent' })),
    ...leftOut,
  ];
  const title = error ? 'The import ended early' : added === 0 ? 'Nobody was added' : 'People imported';
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Notice tone={again.length > 0 ? 'warn' : 'good'}>
          {people(added)} added{wrong.length > 0 && `, ${people(wrong.length)} not`}.
          {known.length > 0 &&
            ` ${people(known.length)} ${known.length === 1 ? 'was' : 'were'} already here.`}
        </Notice>
        {wrong.length > 0 && (
          <ul className={style.wrong} aria-label="Lines that were not added">
            {wrong.slice(0, SHOWN_WRONG).map(({ line, why }) => (
              <li key={line.number}>
                Line {line.number}, {line.person.fullName}: {why}
              </li>
            ))}
            {wrong.length > SHOWN_WRONG && <li>{formatNumber(wrong.length - SHOWN_WRONG)} more</li>}
          </ul>
        )}
        {leftOutBy(leftOut).map(([why, lineNames]) => (
          <p key={why}>
            {lineNames} left out: {why}.
          </p>
        ))}
        {left.length > 0 && (
          <p>
            {people(left.length)} {left.length === 1 ? 'was' : 'were'} not added.
            {error !== undefined &&
              ' If the connection was cut, the next hundred may have been. Import them again: nobody with an external ID is added twice.'}
          </p>
        )}
        {error !== undefined && <Failure error={error} />}
        <DialogActions>
          {again.length > 0 && <FileOf rows={again} />}
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

/** Downloads lines, so that they can be mended and imported again. */
function FileOf({ rows }: { readonly rows: Parameters<typeof writePeople>[0] }) {
  const [href, setHref] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([writePeople(rows)], { type: 'text/csv;charset=utf-8' }));
    setHref(url);
    return () => URL.revokeObjectURL(url);
  }, [rows]);
  return (
    <ButtonAnchor href={href} download="people-not-added.csv">
      Download those not added
    </ButtonAnchor>
  );
}
