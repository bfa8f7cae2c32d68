import { Bars } from '../../../ui/charts/bars';
import { HiddenTable } from '../../../ui/charts/hidden-table';
import { labelsOfHour } from './hours';
import { PARTS } from './parts';
import type { HourOfOutcomes } from './use-outcomes';

const ABOUT = 'Verifications by hour, last 24 hours';

/** A stacked bar for each hour. */
export function OutcomesByHour({
  hours,
  chosen,
  onChoose,
}: {
  readonly hours: readonly HourOfOutcomes[];
  /** The hour that the list shows. */
  readonly chosen?: string | undefined;
  /** Shows the verifications of an hour. */
  readonly onChoose: (hour: string) => void;
}) {
  const steps = hours.map((hour) => ({ ...hour, ...labelsOfHour(Date.parse(hour.at)) }));
  const at = hours.findIndex((hour) => hour.at === chosen);
  return (
    <>
      <Bars
        label={`${ABOUT}. Enter lists the hour`}
        every={1}
        bars={steps.map(({ label, title, ...hour }) => ({
          label,
          title,
          parts: PARTS.toReversed().map(({ of, ...part }) => ({ ...part, value: hour[of] })),
        }))}
        chosen={at === -1 ? undefined : at}
        onChoose={(step) => {
          const hour = hours[step];
          if (hour) onChoose(hour.at);
        }}
      />
      <HiddenTable
        caption={ABOUT}
        head={['Hour', ...PARTS.map(({ name }) => name)]}
        rows={steps.map(({ title, ...hour }) => ({
          id: hour.at,
          title,
          values: PARTS.map(({ of }) => String(hour[of])),
        }))}
      />
    </>
  );
}
