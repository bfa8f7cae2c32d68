import { X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button';
import style from './dialog.module.css';

interface Closing {
  /** Something was sent that cannot be called back: its answer is waited for, and shown. */
  readonly busy: boolean;
  readonly onClose: () => void;
}
const ClosingContext = createContext<Closing>({ busy: false, onClose() {} });

/** The browser's own modal dialog: it keeps the focus within and gives it back, and Escape closes it unless it is `busy`. */
export function Dialog({
  title,
  busy = false,
  onClose,
  children,
}: {
  readonly title: ReactNode;
  readonly busy?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // In the layout's time: later the dialog has left the document, and gives no focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      // What opened it may be gone with what it did.
      queueMicrotask(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={style.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
      // A second Escape is not asked about.
      onClose={busy ? (event) => event.currentTarget.showModal() : onClose}
    >
      <div className={style.body}>
        <div className={style.head}>
          <h2 id={id}>{title}</h2>
          <Button look="quiet" small aria-label="Close" disabled={busy} onClick={onClose}>
            <X size={18} aria-hidden="true" />
          </Button>
        </div>
        <ClosingContext value={{ busy, onClose }}>{children}</ClosingContext>
      </div>
    </dialog>
  );
}

/** Closes the dialog that it is in, before anything was sent. */
export function Cancel() {
  const { busy, onClose } = useContext(ClosingContext);
  return (
    <Button disabled={busy} onClick={onClose}>
      Cancel
    </Button>
  );
}

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={style.actions}>{children}</div>
);
