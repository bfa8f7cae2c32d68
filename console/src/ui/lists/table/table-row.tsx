import { type MouseEvent, memo, useRef } from 'react';
import { Link } from 'react-router';
import { classes } from '../../layout/classes';
import type { Column } from '../column';
import style from '../list.module.css';
import { TimeOfDay } from '../time';

interface RowOf<T> {
  readonly item: T;
  readonly columns: readonly Column<T>[];
  readonly address: string | undefined;
  /** The query of the list's address, which its records keep. */
  readonly search: string;
  readonly isOpen: boolean;
  /** Its place among all rows, if not all of them are in the document. */
  readonly index: number | undefined;
}

export const classOf = ({ short, minor, narrow }: Pick<Column<never>, 'short' | 'minor' | 'narrow'>) =>
  classes(short && style.short, minor && style.minor, narrow && style[narrow]) || undefined;

function PlainRow<T extends { readonly id: string }>({
  item,
  columns,
  address,
  search,
  isOpen,
  index,
}: RowOf<T>) {
  const link = useRef<HTMLAnchorElement>(null);
  const open = ({ target }: MouseEvent<HTMLElement>) => {
    const isControl = (target as HTMLElement).closest('a, button, [role=menu], [role=menuitem]') !== null;
    // Selecting text in a row, for example to copy an address, doesn't open its record.
    if (!isControl && getSelection()?.isCollapsed !== false) link.current?.click();
  };
  return (
    // The link in the first column is for the keyboard, and covers the whole row on a phone.
    <tr
      onClick={open}
      data-open={isOpen || undefined}
      data-addressed={address !== undefined || undefined}
      aria-rowindex={index}
    >
      {columns.map((column, at) => (
        <td key={column.name} data-name={column.name} className={classOf(column)}>
          <div>
            {at === 0 && address !== undefined ? (
              <Link
                ref={link}
                className={style.opener}
                to={{ pathname: address, search }}
                aria-current={isOpen || undefined}
              >
                <Value of={item} column={column} />
              </Link>
            ) : (
              <Value of={item} column={column} />
            )}
          </div>
        </td>
      ))}
    </tr>
  );
}

const Value = <T,>({ of, column }: { readonly of: T; readonly column: Column<T> }) =>
  column.at === undefined ? column.cell(of) : <TimeOfDay at={column.at(of)} />;

/** Rendered again only if the row itself changed: opening a record changes two rows of fifty. */
export const Row = memo(PlainRow) as typeof PlainRow;
