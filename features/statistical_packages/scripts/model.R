
# What goes with an answer: the logit of the truth, fitted to the scrambled reports by base R alone.
# model("KEY", 1, ~ OTHER): the answer with the code 1 to the question KEY, by columns of the file.

# Reports to one answer as 1 and 0; NA where there is none.
said <- function(question, choice) {
  if (!is.null(question$space)) {
    reported <- codes(question)
    there <- !is.na(reported)
    found <- rep(NA_integer_, length(reported))
    found[there] <- as.integer(held(question, reported[there], choice))
    return(found)
  }
  as.integer(if (question$marks) responses[[question$columns[choice + 1]]] else codes(question) == choice)
}

# The share of reports is slope * share + base, and the logit of the share is linear.
truth_link <- function(slope, base) {
  structure(list(
    linkfun = function(mu) qlogis(pmin(pmax((mu - base) / slope, 1e-6), 1 - 1e-6)),
    linkinv = function(eta) base + slope * plogis(eta),
    mu.eta = function(eta) slope * plogis(eta) * plogis(-eta),
    valideta = function(eta) TRUE,
    name = "logit of the truth"
  ), class = "link-glm")
}

model <- function(key, choice, explained_by) {
  question <- Filter(function(each) each$key == key, questions)[[1]]
  slope <- question$c[choice + 1]
  base <- question$d[choice + 1]
  people <- responses
  for (each in questions) {
    if (!is.null(each$matrix) || each$constrain != "none") next
    if (is.null(each$first)) {
      people[[each$key]] <- factor(each$choices[codes(each) + 1], levels = each$choices)
    } else {
      people[[each$key]] <- as.numeric(people[[each$key]]) / 10 # per 10 more; who preferred not to say is left out
    }
  }
  people$said <- said(question, choice)
  people <- people[complete.cases(people[c("said", all.vars(explained_by))]), ]
  for (each in names(Filter(is.factor, people))) { # the largest group is what the others are compared with
    people[[each]] <- relevel(droplevels(people[[each]]), names(which.max(table(people[[each]]))))
  }
  design <- model.matrix(explained_by, people)
  share <- min(max((mean(people$said) - base) / slope, 0.01), 0.99)
  fit <- glm(update(explained_by, said ~ .), family = binomial(truth_link(slope, base)), data = people,
             start = c(qlogis(share), rep(0, ncol(design) - 1)), control = glm.control(epsilon = 1e-12, maxit = 100))
  # Standard errors from the observed information; those of glm are from the expected one.
  p <- plogis(as.vector(design %*% coef(fit)))
  reported <- base + slope * p
  s <- p * (1 - p)
  r <- slope * (people$said / reported - (1 - people$said) / (1 - reported))
  information <- crossprod(design, ((r * s)^2 - r * s * (1 - 2 * p)) * design)
  errors <- sqrt(diag(solve(information)))
  list(n = nrow(people), log_likelihood = as.numeric(logLik(fit)),
       terms = data.frame(coefficient = coef(fit), standard_error = errors, odds_ratio = exp(coef(fit))))
}
