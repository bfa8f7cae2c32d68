import { X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../forms/button';
import { classes } from '../layout/classes';
import { Stack } from '../layout/stack';
import { WordsContext } from '../words';
import style from './dialog.module.css';

interface Closing {
  /** A request was sent that can't be cancelled. The dialog stays open until its response is shown. */
  readonly busy: boolean;
  readonly onClose: () => void;
}
const ClosingContext = createContext<Closing>({ busy: false, onClose() {} });

const FIELD = ['input:not([type=hidden])', 'select', 'textarea']
  .map((field) => `${field}:not(:disabled, [readonly])`)
  .join();

/** The browser's modal dialog. It traps and restores the focus, and Escape closes it unless it is `busy`. */
export function Dialog({
  title,
  busy = false,
  place = 'middle',
  onClose,
  children,
}: {
  readonly title: ReactNode;
  /** At the bottom, a dialog is as wide as the window, where a thumb reaches it. */
  readonly place?: 'middle' | 'bottom';
  readonly busy?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { close } = useContext(WordsContext);
  // A layout effect, because a later cleanup runs after the dialog has left the document and can't restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser focuses the first button, which closes the dialog. A dialog with fields is there to fill them in.
    if (!element?.querySelector('[autofocus]')) element?.querySelector<HTMLElement>(FIELD)?.focus();
    return () => {
      element?.close();
      // The element that opened the dialog may have been removed by its action.
      queueMicrotask(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes(style.dialog, place === 'bottom' && style.bottom)}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
      onClose={({ currentTarget }) => {
        // It was removed, and the event came after that.
        if (!currentTarget.isConnected) return;
        // A second Escape closes the dialog without a `cancel` event, so show it again.
        if (busy) currentTarget.showModal();
        else onClose();
      }}
    >
      <Stack>
        <div className={style.head}>
          <h2 id={id}>{title}</h2>
          <Button look="quiet" small aria-label={close} disabled={busy} onClick={onClose}>
            <X size={18} aria-hidden="true" />
          </Button>
        </div>
        <ClosingContext value={{ busy, onClose }}>{children}</ClosingContext>
      </Stack>
    </dialog>
  );
}

/** Closes its dialog. Disabled while a request is in flight. */
export function Cancel() {
  const { busy, onClose } = useContext(ClosingContext);
  const { cancel } = useContext(WordsContext);
  return (
    <Button disabled={busy} onClick={onClose}>
      {cancel}
    </Button>
  );
}

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={style.actions}>{children}</div>
);
