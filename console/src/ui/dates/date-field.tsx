import { CalendarDays } from 'lucide-react';
import { useContext, useState } from 'react';
import { Popover } from '../floating/popover';
import { Field } from '../forms/fields/field';
import { Clock } from '../lists/time';
import { WordsContext } from '../words';
import { Calendar } from './calendar';
import style from './date-field.module.css';
import { textOfDay } from './days';

/** A day of a calendar. A form gets it as text, such as `2026-05-12`. */
export function DateField({
  label,
  name,
  min,
  defaultValue,
}: {
  readonly label: string;
  readonly name: string;
  /** Earlier days can't be chosen. */
  readonly min: Date;
  readonly defaultValue: Date;
}) {
  const { locale } = useContext(WordsContext);
  const now = useContext(Clock);
  const [day, setDay] = useState(defaultValue);
  const [isOpen, setOpen] = useState(false);
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(day);
  return (
    <Field
      name={name}
      label={label}
      control={({ className, ...ids }) => (
        <>
          <Popover
            label={label}
            open={isOpen}
            onOpenChange={setOpen}
            trigger={
              <button
                type="button"
                {...ids}
                className={`${String(className)} ${style.button}`}
                aria-label={`${label}: ${text}`}
              >
                {text}
                <CalendarDays size={16} aria-hidden="true" />
              </button>
            }
          >
            <Calendar
              from={day}
              to={undefined}
              min={min}
              now={new Date(now())}
              onChoose={(chosen) => {
                setDay(chosen);
                setOpen(false);
              }}
            />
          </Popover>
          <input type="hidden" name={name} value={textOfDay(day)} />
        </>
      )}
    />
  );
}
