import { CircleCheck } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { classes } from '../layout/classes';
import tip from './tip.module.css';
import style from './toasts.module.css';

const DURATION_MS = 5_000;

type ShowToast = (text: string) => void;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Shows for five seconds that something was done. Screen readers announce it. */
export const useToast = (): ShowToast => useContext(ToastContext);

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly { readonly id: number; readonly text: string }[]>([]);
  const next = useRef(0);
  const show = useCallback((text: string) => {
    const id = next.current++;
    setShown((before) => [...before, { id, text }]);
  }, []);
  const remove = useCallback(
    (id: number) => setShown((before) => before.filter((toast) => toast.id !== id)),
    [],
  );
  return (
    <>
      <ToastContext value={show}>{children}</ToastContext>
      {/* It is there before its first message, or screen readers would miss that. */}
      <div className={style.toasts} role="status">
        {shown.map(({ id, text }) => (
          <Toast key={id} id={id} onEnd={remove}>
            {text}
          </Toast>
        ))}
      </div>
    </>
  );
}

/** Stays while the pointer is on it. */
function Toast({
  id,
  onEnd,
  children,
}: {
  readonly id: number;
  readonly onEnd: (id: number) => void;
  readonly children: string;
}) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(onEnd, DURATION_MS, id);
    return () => clearTimeout(timer);
  }, [id, isHeld, onEnd]);
  return (
    <div
      className={classes(tip.tip, style.toast)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <CircleCheck size={16} aria-hidden="true" />
      {children}
    </div>
  );
}
