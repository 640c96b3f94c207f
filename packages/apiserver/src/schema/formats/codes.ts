const matching =
  (shape: RegExp) =>
  (text: string): boolean =>
    shape.test(text)

/** Whole groups of four, padded; nothing at all is no base64. */
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=|[A-Za-z\d+/]{4})$/

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

/** The number of a known issuer with the right check digit; anything but digits is ignored. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '')
  if (!cardNumber.test(digits)) return false
  const sum = digits
    .split('')
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? Number(digit) : Number(digit) * 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  return sum % 10 === 0
}

const withoutGaps = (text: string): string => text.replace(/[\s-]+/g, '')

function isIsbn10(text: string): boolean {
  const code = withoutGaps(text)
  if (!/^\d{9}[\dX]$/.test(code)) return false
  const sum = code.split('').reduce((total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)), 0)
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const code = withoutGaps(text)
  if (!/^\d{13}$/.test(code)) return false
  const sum = code.split('').reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0)
  return sum % 10 === 0
}

const colourPart = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`
const label = /^[a-z\d](?:[-a-z\d]*[a-z\d])?$/

export const codeFormats = {
  byte: matching(base64),
  uuid: matching(/^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i),
  uuid3: matching(/^[\da-f]{8}-?[\da-f]{4}-?3[\da-f]{3}-?[\da-f]{4}-?[\da-f]{12}$/i),
  uuid4: matching(/^[\da-f]{8}-?[\da-f]{4}-?4[\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i),
  uuid5: matching(/^[\da-f]{8}-?[\da-f]{4}-?5[\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i),
  bsonobjectid: matching(/^[\da-f]{24}$/i),
  creditcard: isCreditCard,
  isbn: (text: string): boolean => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  ssn: (text: string): boolean => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matching(/^#?(?:[\da-f]{3}|[\da-f]{6})$/i),
  rgbcolor: matching(new RegExp(`^rgb\\(${colourPart},${colourPart},${colourPart}\\)$`)),
  password: (): boolean => true,
  k8sshortname: (text: string): boolean => text.length <= 63 && label.test(text),
  k8slongname: (text: string): boolean => text.length <= 253 && text.split('.').every(matching(label)),
}
