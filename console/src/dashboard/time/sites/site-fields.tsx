import type { Site, SiteCreateParams } from '@svc/sdk';
import { useId, useState } from 'react';
import { Choice } from '../../../ui/forms/fields/choice';
import { CheckField, SelectField, TextField } from '../../../ui/forms/fields/field';
import { More } from '../../../ui/forms/more';
import { Stack } from '../../../ui/layout/stack';
import { locale, t } from '../language/strings';
import { countries, here } from './countries';

export const SITE_FIELDS = [
  'name',
  'country',
  'timeZone',
  'retentionMonths',
  'breaks',
  'workType',
  'separator',
  'decimal',
  'encoding',
  'hours',
] as const;
export type SiteInput = Readonly<Record<(typeof SITE_FIELDS)[number], string>>;

type From = Site['attendanceFrom'];
type Payroll = NonNullable<Site['payroll']>;

export const fromTexts = (): Readonly<Record<From, { readonly name: string; readonly about: string }>> => ({
  desk: { name: t.siteFields.desk, about: t.siteFields.deskAbout },
  anywhere: { name: t.siteFields.anywhere, about: t.siteFields.anywhereAbout },
});

/** What was typed, for the API. Without a type of work there are no settings of payroll. */
export function siteOf(input: SiteInput, attendanceFrom: From) {
  const { name, country, timeZone, retentionMonths, breaks, workType, separator, decimal, encoding, hours } =
    input;
  return {
    ...{ name, country, timeZone, attendanceFrom },
    retentionMonths: Number(retentionMonths),
    breaks: breaks === 'on',
    payroll:
      workType.trim() === ''
        ? null
        : ({ workType: workType.trim(), separator, decimal, encoding, hours } as Payroll),
  } satisfies Omit<SiteCreateParams, 'payroll'> & { payroll: Payroll | null };
}

const DEFAULT_MONTHS = 48;

/** Fields of a site. Those of the zone and the country begin with what this browser has. */
export function SiteFields({
  site,
  from,
  onFrom,
}: {
  readonly site?: Site;
  readonly from: From;
  readonly onFrom: (from: From) => void;
}) {
  const [initial] = useState(site ?? here());
  return (
    <Stack>
      <TextField
        label={t.siteFields.name}
        name="name"
        hint={t.siteFields.nameHint}
        defaultValue={site?.name}
        maxLength={100}
        autoComplete="off"
        required
        autoFocus
      />
      <SelectField
        label={t.siteFields.country}
        name="country"
        hint={t.siteFields.countryHint}
        defaultValue={initial.country}
        required
      >
        {countries().map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <ZoneField zone={initial.timeZone} />
      <Choice legend={t.siteFields.from} options={fromTexts()} chosen={from} onChoose={onFrom} />
      <CheckField
        label={t.siteFields.breaks}
        name="breaks"
        defaultChecked={site?.breaks ?? true}
        hint={t.siteFields.breaksHint}
      />
      <TextField
        label={t.siteFields.kept}
        name="retentionMonths"
        type="number"
        min={1}
        max={240}
        hint={t.siteFields.keptHint}
        defaultValue={site?.retentionMonths ?? DEFAULT_MONTHS}
        required
      />
      <PayrollFields payroll={site?.payroll ?? null} />
    </Stack>
  );
}

/** The zones of the browser, which it searches while the reader types. */
function ZoneField({ zone }: { readonly zone: string }) {
  const id = useId();
  return (
    <>
      <TextField
        label={t.siteFields.zone}
        name="timeZone"
        hint={t.siteFields.zoneHint}
        defaultValue={zone}
        list={id}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <datalist id={id}>
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

type Choices = Readonly<
  Record<
    Exclude<keyof Payroll, 'workType'>,
    { readonly label: string; readonly options: Readonly<Record<string, string>> }
  >
>;

/** The first of each is the default. */
function payrollChoices(): Choices {
  const texts = t.siteFields;
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(7.5);
  return {
    separator: {
      label: texts.separator,
      options: { ';': texts.semicolons, ',': texts.commas, tab: texts.tabs },
    },
    decimal: { label: texts.decimal, options: { ',': texts.comma, '.': texts.point } },
    encoding: {
      label: texts.encoding,
      options: { 'utf-8': 'UTF-8', 'utf-8-bom': texts.withMark, 'windows-1252': 'Windows-1252' },
    },
    hours: { label: texts.hours, options: { decimal, clock: '7:30', minutes: texts.inMinutes } },
  };
}

const PayrollFields = ({ payroll }: { readonly payroll: Payroll | null }) => (
  <More title={t.siteFields.payroll} open={payroll !== null}>
    <Stack>
      <TextField
        label={t.siteFields.type}
        name="workType"
        hint={t.siteFields.typeHint}
        defaultValue={payroll?.workType ?? ''}
        maxLength={32}
        autoComplete="off"
      />
      {Object.entries(payrollChoices()).map(([name, { label, options }]) => (
        <SelectField
          key={name}
          label={label}
          name={name}
          defaultValue={payroll?.[name as keyof Choices] ?? Object.keys(options)[0]}
        >
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      ))}
    </Stack>
  </More>
);
