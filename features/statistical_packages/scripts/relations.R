
# Two questions together, groups compared, and weights: the numbers of the pages under "Compare", by base R alone.
# crosstab("KEY", "OTHER"): all answers to both questions; "KEY:1" is the answer with the code 1 against all others.
# compare("KEY", 1, "GROUPS"): the answer with the code 1 to the question KEY, in the groups of a background question.
# weigh(list(GROUPS = c(0.4, 0.6))): all sensitive questions, with the known shares of one to three background questions.

named <- function(key) Filter(function(each) each$key == key, questions)[[1]]

is_scrambled <- function(question) !is.null(question$matrix) || question$constrain != "none"

# What a report of each person decodes to for each answer; its mean is the share of the answer. NA where there is none.
decoded <- function(name) {
  parts <- strsplit(name, ":", fixed = TRUE)[[1]]
  question <- named(parts[1])
  if (!is.null(question$matrix)) return(solve(question$matrix)[codes(question) + 1, , drop = FALSE])
  scores <- vapply(seq_len(question$size), function(v) {
    (said(question, v - 1) - question$d[v]) / question$c[v]
  }, numeric(nrow(responses)))
  if (length(parts) == 1) return(scores)
  chosen <- scores[, as.integer(parts[2]) + 1]
  cbind(1 - chosen, chosen)
}

answers <- function(name) {
  parts <- strsplit(name, ":", fixed = TRUE)[[1]]
  choices <- named(parts[1])$choices
  if (length(parts) == 1) return(choices)
  chosen <- choices[as.integer(parts[2]) + 1]
  c(if (length(choices) == 2) setdiff(choices, chosen) else paste("not", chosen), chosen)
}

around <- function(value, error) {
  half <- qnorm(1 - (1 - confidence) / 2) * error
  c(value = value, standard_error = error, low = value - half, high = value + half)
}

# For each answer whether a report says it, or speaks against it where the design turns answers round: 1 or 0. What a
# group consists of, and what a test of independence counts.
speaks_for <- function(name) {
  parts <- strsplit(name, ":", fixed = TRUE)[[1]]
  question <- named(parts[1])
  if (!is.null(question$matrix)) {
    lift <- sweep(question$matrix, 2, colMeans(question$matrix))
    reports <- max.col(lift, ties.method = "first") - 1
    return(outer(codes(question), reports, "==") + 0)
  }
  says <- vapply(seq_len(question$size), function(v) {
    reported <- said(question, v - 1) + 0
    if (question$c[v] < 0) 1 - reported else reported
  }, numeric(nrow(responses)))
  if (length(parts) == 1) return(says)
  chosen <- says[, as.integer(parts[2]) + 1]
  cbind(1 - chosen, chosen)
}

# The shares of the answers `name` within each group, with the intervals that a report of the group has. groups: a column
# of 0 and 1 for each group. scores: what the reports to `name` decode to.
within_groups <- function(groups, scores, name) {
  parts <- strsplit(name, ":", fixed = TRUE)[[1]]
  question <- named(parts[1])
  z <- qnorm(1 - (1 - confidence) / 2)
  share <- low <- high <- matrix(NA_real_, ncol(groups), ncol(scores))
  for (group in which(colSums(groups) > 0)) {
    members <- scores[groups[, group] == 1, , drop = FALSE]
    n <- nrow(members)
    share[group, ] <- colMeans(members)
    if (is.null(question$matrix)) {
      answers <- if (length(parts) == 1) seq_len(question$size) else rep(as.integer(parts[2]) + 1, 2)
      slope <- question$c[answers]
      base <- question$d[answers]
      if (length(parts) > 1) base[1] <- 1 - base[2] - slope[2] # all other answers together
      ends <- (wilson(round(n * (slope * share[group, ] + base)), n, z) - base) / slope
      low[group, ] <- pmin(ends[, 1], ends[, 2])
      high[group, ] <- pmax(ends[, 1], ends[, 2])
    } else {
      error <- sqrt(pmax(colMeans(members^2) - share[group, ]^2, 0) / n)
      low[group, ] <- share[group, ] - z * error
      high[group, ] <- share[group, ] + z * error
    }
  }
  list(share = share, low = low, high = high)
}

# The decoded shares of answers, and the mean squares of what reports decode to: of people who gave the answer (own), and
# of people who did not (others), who gave the other answers in the proportions of their shares, cut at 0. squares: of
# `squares`.
answer_moments <- function(squares, shares) {
  if (squares$apart) return(list(shares = shares, others = squares$values[, 1], own = squares$values[, 2]))
  own <- diag(squares$values)
  possible <- pmax(shares, 0)
  rest <- sum(possible) - possible
  even <- (rowSums(squares$values) - own) / (length(own) - 1)
  weighted <- (as.vector(squares$values %*% possible) - own * possible) / pmax(rest, 1e-12)
  list(shares = shares, others = ifelse(rest > 1e-12, weighted, even), own = own)
}

# The lowest and the highest t from 0 to 1 with a t^2 + b t + c <= 0; NA where there is none.
possible_range <- function(a, b, c) {
  inside <- b^2 - 4 * a * c
  roots <- numeric(0)
  if (inside >= 0) {
    half <- -(b + (if (b < 0) -1 else 1) * sqrt(inside)) / 2
    roots <- c(half / a, c / half)
  }
  nearest <- pmin(pmax(roots, 0), 1)
  kept <- c(nearest[which(abs(roots - nearest) <= 1e-12)], c(0, 1)[c(c, a + b + c) <= 0])
  if (length(kept) == 0) c(NA, NA) else range(kept)
}

# Shares among the people with the answers of a scrambled row: all t from 0 to 1 that a score test keeps, whose variance
# is that of the supposed share t, and the possible share nearest to the estimate. NA where the share of those people is
# estimated as 0 or less, and where no t is kept.
# both: the decoded shares of people with both answers.
among_scrambled <- function(both, row, column, n) {
  q <- qnorm(1 - (1 - confidence) / 2)^2 / n
  share <- low <- high <- matrix(NA_real_, nrow(both), ncol(both))
  for (u in seq_len(nrow(both))) for (v in seq_len(ncol(both))) {
    if (row$shares[u] <= 0) next
    part <- min(row$shares[u], 1)
    elsewhere <- if (part < 1) min(max((column$shares[v] - both[u, v]) / (1 - part), 0), 1) else 0
    inside <- part * row$own[u]
    outside <- (1 - part) * row$others[u]
    base <- column$others[v]
    rise <- column$own[v] - base
    constant <- inside * base + outside * (base + elsewhere * rise)
    linear <- inside * rise - 2 * outside * elsewhere
    ends <- possible_range(row$shares[u]^2 - q * (outside - inside), -2 * both[u, v] * row$shares[u] - q * linear,
                           both[u, v]^2 - q * constant)
    if (anyNA(ends)) next
    share[u, v] <- both[u, v] / row$shares[u]
    nearest <- min(max(share[u, v], 0), 1)
    low[u, v] <- min(ends[1], nearest)
    high[u, v] <- max(ends[2], nearest)
  }
  list(share = share, low = low, high = high)
}

# Whether the answers are unrelated: n tr(S1^-1 C S2^-1 C') of decoded reports, each answer against the first; where
# several answers may be true, every answer by itself. If fewer than 20 reports of some kind are expected, p comes from a
# permutation test: of random tables with the same margins, or where a question sends bits of up to 5,000 people, of
# permutations of its rows. The draws are not those of the page, so this p differs a little from the page's.
# says, others_say: 1 where a report says an answer, else 0. bits: whether a question sends bits.
independence <- function(one, other, apart, says, others_say, bits) {
  whitened <- function(scores, apart) {
    contrasts <- if (apart) scores else scores[, -1, drop = FALSE] - scores[, 1]
    centred <- scale(contrasts, scale = FALSE)
    found <- eigen(crossprod(centred) / nrow(centred), symmetric = TRUE)
    kept <- found$values > 1e-10 * max(found$values)
    centred %*% t(t(found$vectors[, kept, drop = FALSE]) / sqrt(found$values[kept]))
  }
  n <- nrow(one)
  first <- whitened(one, apart[[1]])
  second <- whitened(other, apart[[2]])
  statistic_of <- function(first) sum(crossprod(first, second)^2) / n
  statistic <- statistic_of(first)
  degrees <- ncol(first) * ncol(second)
  result <- list(statistic = statistic, degrees = degrees, p_value = pchisq(statistic, degrees, lower.tail = FALSE),
                 method = "chi-square", draws = 0)
  kinds <- function(says, bits) {
    counts <- colSums(says)
    if (bits) counts <- c(counts, n - counts)
    counts[counts > 0]
  }
  few <- min(kinds(says, bits[1])) * min(kinds(others_say, bits[2])) / n < 20
  if (degrees == 0 || !few || (any(bits) && n > 5000)) return(result)
  draws <- if (ncol(one) * ncol(other) > 400) 499 else 1999
  set.seed(1) # so that the same responses give the same p
  if (any(bits)) {
    drawn <- replicate(draws, statistic_of(first[sample.int(n), , drop = FALSE]))
  } else {
    rows <- kinds(says, FALSE)
    columns <- kinds(others_say, FALSE)
    expected <- rows %o% columns / n
    drawn <- vapply(r2dtable(draws, rows, columns), function(table) sum((table - expected)^2 / expected), numeric(1))
  }
  result$p_value <- (1 + sum(drawn >= statistic - 1e-9 * max(1, statistic))) / (draws + 1)
  result$method <- "permutation"
  result$draws <- draws
  result
}

# phi and the odds ratio of two answers and two, by the delta method; NULL where a share is not possible, and phi where
# too little is known. Its value is NA where it is beyond 1: then only the other end of its interval is known.
strength <- function(one, other) {
  values <- cbind(one[, 2] * other[, 2], one[, 2], other[, 2])
  spread <- crossprod(scale(values, scale = FALSE)) / nrow(values)^2
  both <- mean(values[, 1]); f <- mean(values[, 2]); g <- mean(values[, 3])
  if (!(f > 0 && f < 1 && g > 0 && g < 1)) return(list(phi = NULL, odds_ratio = NULL))
  error <- function(slopes) sqrt(max(drop(slopes %*% spread %*% slopes), 0))
  wide <- sqrt(f * (1 - f) * g * (1 - g))
  value <- (both - f * g) / wide
  bend <- function(share) value * (1 - 2 * share) / (2 * share * (1 - share))
  phi <- around(value, error(c(1 / wide, -g / wide - bend(f), -f / wide - bend(g))))
  cells <- c(1 - f - g + both, g - both, f - both, both) # neither, the column alone, the row alone, both
  slopes <- rbind(c(1, -1, -1), c(-1, 0, 1), c(-1, 1, 0), c(1, 0, 0))
  ends <- phi[c("low", "high")]
  known <- all(cells >= -1.96 * apply(slopes, 1, error)) && diff(ends) <= 1 && ends[1] <= 1 && ends[2] >= -1
  phi[c("low", "high")] <- pmin(pmax(ends, -1), 1)
  if (abs(value) > 1) phi["value"] <- NA
  if (!known) phi <- NULL
  if (any(cells <= 0)) return(list(phi = phi, odds_ratio = NULL))
  log_ratio <- around(log(cells[1] * cells[4] / (cells[2] * cells[3])),
                      error(c(sum(1 / cells), -1 / cells[1] - 1 / cells[3], -1 / cells[1] - 1 / cells[2])))
  odds <- exp(log_ratio)
  odds["standard_error"] <- odds["value"] * log_ratio["standard_error"]
  list(phi = phi, odds_ratio = odds)
}

crosstab <- function(rows, columns) {
  one <- decoded(rows)
  other <- decoded(columns)
  there <- complete.cases(one, other)
  one <- one[there, , drop = FALSE]
  other <- other[there, , drop = FALSE]
  one_says <- speaks_for(rows)[there, , drop = FALSE]
  other_says <- speaks_for(columns)[there, , drop = FALSE]
  n <- nrow(one)
  shares <- crossprod(one, other) / n
  errors <- sqrt(pmax(crossprod(one^2, other^2) / n - shares^2, 0) / n)
  # Among people with an answer that is not scrambled: as a report of this group. Among others by the score test.
  row <- answer_moments(squares(rows), colMeans(one))
  column <- answer_moments(squares(columns), colMeans(other))
  of <- function(name, other_name, says, others, shares, answers, other_answers) {
    if (!is_scrambled(named(strsplit(name, ":", fixed = TRUE)[[1]][1]))) return(within_groups(says, others, other_name))
    among_scrambled(shares, answers, other_answers, n)
  }
  of_row <- of(rows, columns, one_says, other, shares, row, column)
  of_column <- lapply(of(columns, rows, other_says, one, t(shares), column, row), t)
  z <- qnorm(1 - (1 - confidence) / 2)
  ends <- cell_ends(shares, squares(rows), squares(columns), colMeans(one), colMeans(other), z^2 / n)
  by_row <- function(table) as.vector(t(table))
  apart <- lapply(c(rows, columns), function(name) named(strsplit(name, ":")[[1]][1])$constrain == "each" && !grepl(":", name))
  sends_bits <- function(name) {
    question <- named(strsplit(name, ":", fixed = TRUE)[[1]][1])
    !grepl(":", name) && (question$marks || !is.null(question$space))
  }
  bits <- c(sends_bits(rows), sends_bits(columns))
  some_too_few <- anyNA(of_row$share) || anyNA(of_column$share)
  reason <- paste("Where a share is NA: the share of people with the one answer is estimated as 0 or less, or no possible",
                  "share agrees with the reports.")
  c(list(
    n = n,
    note = if (some_too_few) reason else "",
    cells = data.frame(
      row = rep(answers(rows), each = ncol(other)), column = rep(answers(columns), ncol(one)), share = by_row(shares),
      standard_error = by_row(errors), low = by_row(ends$low), high = by_row(ends$high),
      of_row = by_row(of_row$share), of_row_low = by_row(of_row$low), of_row_high = by_row(of_row$high),
      of_column = by_row(of_column$share), of_column_low = by_row(of_column$low), of_column_high = by_row(of_column$high)
    ),
    independence = independence(one, other, apart, one_says, other_says, bits)
  ), if (ncol(one) == 2 && ncol(other) == 2) strength(one, other))
}

# The mean square of what a report decodes to for each answer (rows), given each truth (columns); and whether each answer
# is true or not by itself: then the truths are that it is not, and that it is.
squares <- function(name) {
  parts <- strsplit(name, ":", fixed = TRUE)[[1]]
  question <- named(parts[1])
  if (!is.null(question$matrix)) {
    return(list(values = t(question$matrix %*% solve(question$matrix)^2), apart = FALSE))
  }
  of <- function(v, chance) ((1 - question$d[v])^2 * chance + question$d[v]^2 * (1 - chance)) / question$c[v]^2
  if (length(parts) > 1) { # the answer is Yes of two, whose No decodes to 1 - d
    v <- as.integer(parts[2]) + 1
    yes <- c(of(v, question$d[v]), of(v, question$d[v] + question$c[v]))
    return(list(values = rbind(1 - 2 * c(0, 1) + yes, yes), apart = FALSE))
  }
  every <- seq_len(question$size)
  unset <- vapply(every, function(v) of(v, question$d[v]), numeric(1))
  set <- vapply(every, function(v) of(v, question$d[v] + question$c[v]), numeric(1))
  if (question$constrain == "each") return(list(values = cbind(unset, set), apart = TRUE))
  values <- matrix(unset, question$size, question$size)
  diag(values) <- set
  list(values = values, apart = FALSE)
}

# Score intervals of cells: all x with (cell - x)^2 <= q (x own + (1 - x) others - x^2), own the mean square of people in
# the cell, others that of all others, who are spread as the other cells are decoded, cut at 0.
cell_ends <- function(cells, one, other, shares, others, q) {
  low <- high <- cells
  for (u in seq_len(nrow(cells))) for (v in seq_len(ncol(cells))) {
    people <- cells
    from <- one$values
    to <- other$values
    at <- c(u, v)
    if (one$apart) {
      people <- rbind(others - cells[u, ], cells[u, ])
      at[1] <- 2
    }
    if (other$apart) {
      all_of <- if (one$apart) c(1 - shares[u], shares[u]) else shares
      people <- cbind(all_of - people[, v], people[, v])
      at[2] <- 2
    }
    means <- from[u, ] %o% to[v, ]
    own <- means[at[1], at[2]]
    people <- pmax(people, 0)
    people[at[1], at[2]] <- 0
    means[at[1], at[2]] <- 0
    rest <- if (sum(people) > 1e-12) sum(people * means) / sum(people) else sum(means) / (length(means) - 1)
    cell <- cells[u, v]
    middle <- 2 * cell + q * (own - rest)
    inside <- middle^2 - 4 * (1 + q) * (cell^2 - q * rest)
    near <- min(max(cell, 0), 1)
    error <- sqrt(max(near * own + (1 - near) * rest - near^2, 0) * q)
    ends <- if (inside >= 0) (middle + c(-1, 1) * sqrt(inside)) / (2 * (1 + q)) else cell + c(-1, 1) * error
    low[u, v] <- ends[1]
    high[u, v] <- ends[2]
  }
  list(low = low, high = high)
}

# How two shares differ whose reports are said with the chances base + slope * share: the interval of the score test (Mee
# 1984; Miettinen and Nurminen 1985) at the level alpha, and p, which is no smaller than an exact tail allows. Where reports
# are nearly certain both are Newcombe's (1998), from exact ends.
compare_shares <- function(hits, n, slope, base, alpha) {
  shares <- (hits / n - base) / slope
  weights <- n * slope^2
  value <- shares[1] - shares[2]
  newcombe <- function(alpha) {
    ends <- t(apply((exact(hits, n, alpha / 2) - base) / slope, 1, sort))
    value + c(-1, 1) * sqrt(c((shares[1] - ends[1, 1])^2 + (ends[2, 2] - shares[2])^2,
                              (ends[1, 2] - shares[1])^2 + (shares[2] - ends[2, 1])^2))
  }
  halve <- function(inside, outside, is_inside) {
    for (step in 1:60) {
      middle <- (inside + outside) / 2
      if (is_inside(middle)) inside <- middle else outside <- middle
    }
    c(inside, outside)
  }
  if (min(base, base + slope, 1 - base, 1 - base - slope) < 0.05 - 1e-9) {
    holds <- function(log_alpha) prod(newcombe(exp(log_alpha))) <= 0
    return(list(ends = newcombe(alpha), p = if (value == 0) 1 else exp(halve(-700, 0, holds)[2])))
  }
  # In standard errors, how far the difference is above a supposed one, at the likeliest shares that differ by as much.
  score <- function(supposed) {
    apart <- min(max(supposed, -1), 1)
    pooled <- (weights[2] * shares[2] + weights[1] * (shares[1] - supposed)) / sum(weights)
    share <- min(max(pooled, 0, -apart), 1, 1 - apart)
    chances <- base + slope * c(share + apart, share)
    variance <- sum(pmax(chances * (1 - chances), 0) / weights)
    beyond <- value - supposed
    if (variance > 0) beyond / sqrt(variance) else if (abs(beyond) < 1e-9) 0 else sign(beyond) * Inf
  }
  z <- qnorm(1 - alpha / 2)
  reach <- z * sqrt(sum(0.25 / weights)) + 1e-9
  end <- function(sign) {
    halve(value, sign * (max(sign * value, 1) + reach), function(supposed) -sign * score(supposed) <= z)[1]
  }
  tail <- min(phyper(hits[1] - 1, sum(hits), sum(n - hits), n[1]),
              phyper(hits[1], sum(hits), sum(n - hits), n[1], lower.tail = FALSE)) +
    dhyper(hits[1], sum(hits), sum(n - hits), n[1]) / 2
  list(ends = c(end(-1), end(1)), p = max(2 * pnorm(-abs(score(0))), min(2 * tail, 1)))
}

# How two means of decoded reports differ: with the larger of the errors with own and with common variances, each at least
# what the design allows.
compare_means <- function(shares, spreads, n, least, alpha) {
  more <- sum(n) / (sum(n) - 2)
  error <- sqrt(max(more * sum(spreads / n), more * sum(n * spreads) / sum(n) * sum(1 / n), least * sum(1 / n)))
  difference <- shares[1] - shares[2]
  z <- if (error > 0) difference / error else 0
  list(ends = difference + c(-1, 1) * qnorm(1 - alpha / 2) * error, p = 2 * pnorm(-abs(z)))
}

# Groups of fewer than 30 reports are left out here; the page puts them together where that makes enough.
compare <- function(key, choice, by) {
  question <- named(key)
  scores <- decoded(key)[, choice + 1]
  groups <- factor(named(by)$choices[codes(named(by)) + 1], levels = named(by)$choices)
  there <- !is.na(scores) & !is.na(groups)
  scores <- split(scores[there], groups[there])
  scores <- scores[lengths(scores) >= 30]
  n <- lengths(scores)
  shares <- vapply(scores, mean, numeric(1))
  spreads <- vapply(scores, function(each) max(mean(each^2) - mean(each)^2, 0), numeric(1))
  errors <- sqrt(spreads / n)
  couples <- combn(length(n), 2)
  alpha <- (1 - confidence) / ncol(couples) # all intervals together
  has_line <- is.null(question$matrix)
  if (has_line) {
    slope <- question$c[choice + 1]
    base <- question$d[choice + 1]
    hits <- round(n * (slope * shares + base))
    between <- function(pair) compare_shares(hits[pair], n[pair], slope, base, alpha)
  } else {
    decodes <- solve(question$matrix)[, choice + 1]
    least <- min(question$matrix %*% decodes^2 - (question$matrix %*% decodes)^2)
    between <- function(pair) compare_means(shares[pair], spreads[pair], n[pair], least, alpha)
  }
  told <- apply(couples, 2, between, simplify = FALSE)
  ends <- vapply(told, function(each) each$ends, numeric(2))
  p <- vapply(told, function(each) each$p, numeric(1))
  first <- couples[1, ]
  second <- couples[2, ]
  result <- list(
    groups = data.frame(group = names(n), n = n, share = shares, standard_error = errors, row.names = NULL),
    pairs = data.frame(
      first = names(n)[first], second = names(n)[second], difference = shares[first] - shares[second],
      standard_error = sqrt(errors[first]^2 + errors[second]^2), low = ends[1, ], high = ends[2, ],
      p = p, p_holm = p.adjust(p, "holm"), p_bh = p.adjust(p, "BH"), row.names = NULL
    )
  )
  if (!has_line) return(result)
  likelihood <- function(share) sum(dbinom(hits, n, share, log = TRUE))
  statistic <- 2 * (likelihood(hits / n) - likelihood(sum(hits) / sum(n)))
  degrees <- length(n) - 1
  c(result, list(test = c(statistic = statistic, degrees = degrees, p_value = pchisq(statistic, degrees, lower.tail = FALSE))))
}

# Weights with mean 1 with which people in these groups are as many as is known: a column of groups for each margin.
rake <- function(groups, known) {
  weights <- rep(1, nrow(groups))
  now <- function(margin) {
    codes <- factor(groups[[margin]], levels = seq_along(known[[margin]]) - 1)
    as.vector(tapply(weights, codes, sum, default = 0)) / sum(weights)
  }
  for (margin in seq_along(known)) {
    if (any((now(margin) > 0) != (known[[margin]] > 0))) {
      stop("Each group of ", names(known)[margin], " with people in it needs a known share, and no other one.")
    }
  }
  for (round in 1:10000) {
    for (margin in seq_along(known)) weights <- weights * (known[[margin]] / now(margin))[groups[[margin]] + 1]
    off <- vapply(seq_along(known), function(margin) max(abs(now(margin) - known[[margin]])), numeric(1))
    if (max(off) < 1e-12) return(weights / mean(weights))
  }
  stop("These shares cannot be met together: leave a question out, or add up groups that are alike.")
}

weigh <- function(known) {
  known <- lapply(known, function(shares) shares / sum(shares))
  groups <- as.data.frame(lapply(sapply(names(known), named, simplify = FALSE), codes))
  weighed <- Filter(function(question) is_scrambled(question) && question$size <= 200, questions)
  do.call(rbind, lapply(weighed, function(question) {
    scores <- decoded(question$key)
    do.call(rbind, lapply(seq_len(question$size), function(v) {
      there <- !is.na(scores[, v]) & complete.cases(groups)
      d <- scores[there, v]
      here <- groups[there, , drop = FALSE]
      w <- rake(here, known)
      # The known shares are exact: what they explain of the answers is no error.
      indicators <- do.call(cbind, lapply(here, function(codes) outer(codes, unique(codes), "==") + 0))
      left <- lm.wfit(indicators, d, w)$residuals
      n <- length(d)
      error <- sqrt(n / (n - 1) * sum(w^2 * left^2)) / sum(w)
      share <- sum(w * d) / sum(w)
      kish <- sum(w)^2 / sum(w^2)
      z <- qnorm(1 - (1 - confidence) / 2)
      ends <- share + c(-z, z) * error
      if (is.null(question$matrix)) { # Wilson's interval of reports, at the n that has this error
        slope <- question$c[v]
        base <- question$d[v]
        reported <- min(max(slope * share + base, 0), 1)
        varied <- reported * (1 - reported)
        most <- if (slope == 1 && base == 0) n else kish
        size <- if (varied > 0 && error > 0) min(most, varied / (slope * error)^2) else most
        ends <- sort((wilson(reported * size, size, z) - base) / slope)
      }
      data.frame(question = question$key, choice = question$choices[v], n = n, effective_n = kish,
                 share = share, standard_error = error, low = ends[1], high = ends[2])
    }))
  }))
}
