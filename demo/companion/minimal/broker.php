<?php
// A minimal broker in PHP: makes the signed-in member able to call, but moves no money. php -S 127.0.0.1:8080 broker.php
declare(strict_types=1);

const ALREADY_LINKED = 409;

// Replace by your own session: here AGENT_TOKENS="secret1:agent001 secret2:agent002" says who a bearer token is.
function memberOf(): ?string
{
    if (!preg_match('/^Bearer (\S+)$/', $_SERVER['HTTP_AUTHORIZATION'] ?? '', $found)) return null;
    foreach (explode(' ', getenv('AGENT_TOKENS') ?: '') as $pair) {
        [$token, $memberNo] = explode(':', $pair . ':');
        if ($token !== '' && hash_equals($token, $found[1])) return $memberNo;
    }
    return null;
}

function ask(string $path, ?array $body = null): mixed
{
    $context = stream_context_create(['http' => [
        'method' => $body === null ? 'GET' : 'POST',
        'header' => ['X-API-Key: ' . getenv('VENDOR_API_KEY'), 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 5,
        'follow_location' => 0, // it would carry the key elsewhere
        'ignore_errors' => true,
    ]]);
    $text = @file_get_contents(getenv('VENDOR_BASE_URL') . "/api/$path", false, $context);
    $answer = json_decode($text ?: '', true);
    $error = is_array($answer) ? $answer['error'] ?? null : null;
    // Not the whole answer, which may hold a token.
    $message = is_array($answer) ? json_encode($answer['message'] ?? null) : 'no envelope';
    if ($error !== 0) throw new RuntimeException("$path: $message", is_int($error) ? $error : 0);
    return $answer['data'] ?? null;
}

// An unreadable balance is no empty one; 500.000 may be 500 or 500000.
function readBalance(mixed $money): float
{
    $isText = is_string($money) && preg_match('/^-?\d+(\.(\d\d?|\d{4,}))?$/D', $money);
    if ($isText || is_int($money) || is_float($money)) return (float) $money;
    throw new RuntimeException('getByMemberNo: member_money is no number');
}

function openSession(string $memberNo): array
{
    $wanted = getenv('HOTLINE_CODE');
    $hotlines = array_filter(ask('hotline/getAll'), fn($one) => !$wanted || $one['hotline_code'] === $wanted);
    $hotline = reset($hotlines) ?: null;
    // Creates the member at its first sign-in, so it can be read only afterwards.
    $codes = $hotline ? [$hotline['hotline_code']] : [];
    $token = ask('sdk/tokenSdk', ['member_no' => $memberNo, 'hotline_codes' => $codes]);
    $member = ask("member/getByMemberNo?member_no=$memberNo");
    // Kept in your own session, this is one request less: the vendor's answer may not list the member's hotlines.
    if ($hotline) {
        $number = $hotline['hotline_number'];
        $assignment = ['member_no' => $memberNo, 'hotline_number' => $number, 'allow_call' => true];
        try {
            ask('hotline/member/add', [...$assignment, 'start_time' => '', 'end_time' => '']);
        } catch (RuntimeException $error) {
            if ($error->getCode() !== ALREADY_LINKED) throw $error;
        }
    }
    $balance = readBalance($member['member_money'] ?? null);
    $told = fn($one) => ['name' => $one['hotline_name'], 'number' => $one['hotline_number'],
        'code' => $one['hotline_code'], 'type' => $one['hotline_type']];
    return [
        'token' => $token,
        'member' => ['memberNo' => $memberNo, 'name' => $member['member_name'], 'balance' => $balance, 'currency' => 'VND'],
        'hotlines' => $hotline ? [$told($hotline)] : [],
        'blockers' => [...($balance > 0 ? [] : ['insufficient-funds']), ...($hotline ? [] : ['no-hotline'])],
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
    error_log($error->getMessage());
    refuse(503, 'vendor-unreachable');
}
