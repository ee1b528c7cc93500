<?php
// A broker in PHP: makes the signed-in member able to call, but moves no money. php -S 127.0.0.1:8080 broker.php
declare(strict_types=1);

ini_set('display_errors', '0'); // a warning would stand before the JSON
const ALREADY_ASSIGNED = 409;

// An .env file written on Windows leaves a \r at the end.
function setting(string $name): string
{
    return trim((string) getenv($name));
}

// Replace this with your own sign-in: here, AGENT_TOKENS="secret1:agent001 secret2:agent002" maps each bearer token to a member.
function memberOf(): ?string
{
    if (!preg_match('/^Bearer (\S+)$/', $_SERVER['HTTP_AUTHORIZATION'] ?? '', $found)) return null;
    foreach (preg_split('/\s+/', getenv('AGENT_TOKENS') ?: '') as $pair) {
        if (!preg_match('/^([^:]+):([A-Za-z0-9]{1,64})$/D', $pair, $agent)) continue;
        if (hash_equals($agent[1], $found[1])) return $agent[2];
    }
    return null;
}

function ask(string $path, ?array $body = null): mixed
{
    $context = stream_context_create(['http' => [
        'method' => $body === null ? 'GET' : 'POST',
        'header' => ['X-API-Key: ' . setting('VENDOR_API_KEY'), 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 5,
        'follow_location' => 0, // it would carry the key elsewhere
        'ignore_errors' => true,
    ]]);
    $end = microtime(true) + 10; // the timeout of 5 seconds begins again with each byte
    $stream = @fopen(rtrim(setting('VENDOR_BASE_URL'), '/') . "/api/$path", 'r', false, $context);
    // One byte at a time: a longer read would wait until all of it is there.
    for ($text = ''; $stream && !feof($stream) && microtime(true) < $end && strlen($text) < 1_000_000;) $text .= fread($stream, 1);
    $answer = json_decode($text, true);
    $error = is_array($answer) ? $answer['error'] ?? null : null;
    // Not the whole answer, which may hold a token.
    $message = is_array($answer) ? json_encode($answer['message'] ?? null, JSON_UNESCAPED_UNICODE) : 'no envelope';
    if ($error !== 0) throw new RuntimeException("$path: $message", is_int($error) ? $error : 0);
    return $answer['data'] ?? null;
}

// The vendor may repeat the key. JSON in its message has backslashes: all of them go, to find the key.
function report(Throwable $error): void
{
    [$text, $key] = str_replace('\\', '', [$error->getMessage(), setting('VENDOR_API_KEY')]);
    error_log(str_replace($key, '(key)', $text));
}

// Returns a text that is not empty; throws if it is missing.
function readText(string $path, mixed $value): string
{
    return is_string($value) && $value !== '' ? $value : throw new RuntimeException("$path: a text is missing");
}

// An unreadable balance does not mean 0; 500.000 may be 500 or 500000.
function readBalance(mixed $money): int|float
{
    if (is_int($money) || (is_float($money) && is_finite($money))) return $money;
    throw new RuntimeException('getByMemberNo: member_money is not a number');
}

// The vendor's response may not list the member's hotlines. If you keep the result in your own session, the request is sent only once.
function hasHotline(string $memberNo, array $lists, array $hotline): bool
{
    if ($lists) return true;
    $assignment = ['member_no' => $memberNo, 'hotline_number' => $hotline['hotline_number'], 'allow_call' => true];
    try {
        $result = ask('hotline/member/add', [...$assignment, 'start_time' => '', 'end_time' => '']);
        if ($result === false) throw new RuntimeException('hotline/member/add: data is false');
    } catch (RuntimeException $error) {
        if ($error->getCode() === ALREADY_ASSIGNED) return true;
        report($error);
        return false;
    }
    return true;
}

function openSession(string $memberNo): array
{
    $wanted = setting('HOTLINE_CODE');
    $hotlines = ask('hotline/getAll');
    $found = array_filter($hotlines, fn($one) => !$wanted || $one['hotline_code'] === $wanted);
    $hotline = reset($found) ?: null;
    foreach ($hotline ? ['hotline_number', 'hotline_code'] : [] as $name) readText('hotline/getAll', $hotline[$name] ?? null);
    // The token creates an unknown member, so the member can be read only afterwards.
    $codes = $hotline ? [$hotline['hotline_code']] : [];
    $token = readText('sdk/tokenSdk', ask('sdk/tokenSdk', ['member_no' => $memberNo, 'hotline_codes' => $codes]));
    $member = ask("member/getByMemberNo?member_no=$memberNo");
    // A cache may ignore the query.
    if (strcasecmp((string) ($member['member_no'] ?? ''), $memberNo) !== 0) throw new RuntimeException('getByMemberNo: another member');
    $balance = readBalance($member['member_money'] ?? null);
    // A member keeps the hotlines they have. The form of their list is not documented: a number or a code may stand anywhere in it.
    $isList = fn($value, $name) => stripos($name, 'hotline') !== false && is_array($value) && $value !== [];
    $lists = array_filter($member, $isList, ARRAY_FILTER_USE_BOTH);
    $isIn = fn(string $text) => str_contains(json_encode($lists), json_encode($text));
    $usable = array_values(array_filter($hotlines, fn($one) => $isIn($one['hotline_number']) || $isIn($one['hotline_code'])));
    if (!$usable && $hotline && hasHotline($memberNo, $lists, $hotline)) $usable = [$hotline];
    $withoutNulls = fn($row) => array_filter($row, fn($value) => $value !== null);
    $forDialer = fn($one) => $withoutNulls(['name' => $one['hotline_name'] ?? null, 'number' => $one['hotline_number'],
        'code' => $one['hotline_code'], 'type' => $one['hotline_type'] ?? null]);
    $name = $member['member_name'] ?? null;
    return [
        'token' => $token,
        'member' => $withoutNulls(['memberNo' => $memberNo, 'name' => $name, 'balance' => $balance, 'currency' => 'VND']),
        'hotlines' => array_map($forDialer, $usable),
        'blockers' => [...($balance > 0 ? [] : ['insufficient-funds']), ...($usable ? [] : ['no-hotline'])],
    ];
}

function send(int $status, array $body): void
{
    http_response_code($status);
    header('Content-Type: application/' . ($status < 400 ? 'json' : 'problem+json'));
    header('Cache-Control: no-store');
    header('X-Content-Type-Options: nosniff');
    exit(json_encode($body));
}

function refuse(int $status, string $code): void
{
    send($status, ['title' => $code, 'status' => $status, 'code' => $code]);
}

['HTTP_HOST' => $host, 'REQUEST_METHOD' => $method] = $_SERVER;
$origin = $_SERVER['HTTP_ORIGIN'] ?? null;
if ($origin !== null && !in_array($origin, ["http://$host", "https://$host"], true)) refuse(403, 'origin-not-allowed');
if ($method !== 'POST') refuse(405, 'invalid-request');
if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > 4096) refuse(413, 'invalid-request');
$memberNo = memberOf() ?? refuse(401, 'broker-unauthorized');
try {
    send(200, openSession($memberNo));
} catch (RuntimeException | TypeError $error) {
    report($error);
    refuse(503, 'vendor-unreachable');
}
