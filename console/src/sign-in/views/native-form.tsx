import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import style from './form.module.css';

/** A form that the browser sends itself, once. */
export function NativeForm({
  action,
  xsrf,
  onSubmit,
  children,
}: {
  readonly action: string;
  readonly xsrf: string;
  /** Can prevent it. */
  readonly onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}) {
  const isSent = useRef(false);
  useEffect(() => {
    // Back from the next page.
    const onShow = () => {
      isSent.current = false;
    };
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (isSent.current) return event.preventDefault();
    onSubmit?.(event);
    isSent.current = !event.defaultPrevented;
  };
  return (
    <form
      className={style.form}
      method="post"
      action={action}
      autoComplete="off"
      noValidate
      onSubmit={submit}
    >
      <input type="hidden" name="xsrf" value={xsrf} />
      {children}
    </form>
  );
}
