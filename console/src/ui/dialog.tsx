import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import style from './dialog.module.css';

/** The browser's own modal dialog: it keeps the focus within and gives it back, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={style.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={style.body}>
        <div className={style.head}>
          <h2 id={id}>{title}</h2>
          <Button look="quiet" small aria-label="Close" onClick={onClose}>
            <X size={18} aria-hidden="true" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={style.actions}>{children}</div>
);
