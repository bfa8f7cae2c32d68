import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import style from './section.module.css';

/** A part of a record that is rarely needed. It is loaded when it is opened. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={style.section}>
      <h2>
        <button
          type="button"
          className={style.head}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden="true" />
          {title}
        </button>
      </h2>
      {isOpen && (
        <div id={id} className={style.inside}>
          {children}
        </div>
      )}
    </section>
  );
}
