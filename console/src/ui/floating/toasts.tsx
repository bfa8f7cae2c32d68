import * as Radix from '@radix-ui/react-toast';
import { CircleCheck } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
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
  const remove = (id: number) => setShown((before) => before.filter((toast) => toast.id !== id));
  return (
    <Radix.Provider duration={DURATION_MS}>
      <ToastContext value={show}>{children}</ToastContext>
      {shown.map(({ id, text }) => (
        <Radix.Root
          key={id}
          className={classes(tip.tip, style.toast)}
          onOpenChange={(open) => !open && remove(id)}
        >
          <CircleCheck size={16} aria-hidden="true" />
          <Radix.Title>{text}</Radix.Title>
        </Radix.Root>
      ))}
      <Radix.Viewport className={style.viewport} />
    </Radix.Provider>
  );
}
