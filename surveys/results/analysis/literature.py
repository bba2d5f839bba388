"""The literature that the methods of an analysis name."""

# The first author and the year -> the work.
LITERATURE = {
    ("Agresti", "1979"): (
        "Agresti, A., Wackerly, D., & Boyett, J. M. (1979). Exact conditional tests for "
        "cross-classifications: approximation of attained significance levels. Psychometrika, "
        "44(1), 75–83."
    ),
    ("Chaudhuri", "1988"): (
        "Chaudhuri, A., & Mukerjee, R. (1988). Randomized Response: Theory and Techniques. New "
        "York: Marcel Dekker."
    ),
    ("Cochran", "1954"): (
        "Cochran, W. G. (1954). The combination of estimates from different experiments. "
        "Biometrics, 10(1), 101–129."
    ),
    ("Deming", "1940"): (
        "Deming, W. E., & Stephan, F. F. (1940). On a least squares adjustment of a sampled "
        "frequency table when the expected marginal totals are known. Annals of Mathematical "
        "Statistics, 11(4), 427–444."
    ),
    ("Deville", "1992"): (
        "Deville, J.-C., & Särndal, C.-E. (1992). Calibration estimators in survey sampling. "
        "Journal of the American Statistical Association, 87(418), 376–382."
    ),
    ("Kish", "1965"): ("Kish, L. (1965). Survey Sampling. New York: Wiley."),
    ("MacKinnon", "1985"): (
        "MacKinnon, J. G., & White, H. (1985). Some heteroskedasticity-consistent covariance "
        "matrix estimators with improved finite sample properties. Journal of Econometrics, "
        "29(3), 305–325."
    ),
    ("Maddala", "1983"): (
        "Maddala, G. S. (1983). Limited-Dependent and Qualitative Variables in Econometrics. "
        "Cambridge: Cambridge University Press."
    ),
    ("Mee", "1984"): (
        "Mee, R. W. (1984). Confidence bounds for the difference between two probabilities. "
        "Biometrics, 40(4), 1175–1176."
    ),
    ("Miettinen", "1985"): (
        "Miettinen, O., & Nurminen, M. (1985). Comparative analysis of two rates. Statistics in "
        "Medicine, 4(2), 213–226."
    ),
    ("Newcombe", "1998"): (
        "Newcombe, R. G. (1998). Interval estimation for the difference between independent "
        "proportions: comparison of eleven methods. Statistics in Medicine, 17(8), 873–890."
    ),
    ("Peduzzi", "1996"): (
        "Peduzzi, P., Concato, J., Kemper, E., Holford, T. R., & Feinstein, A. R. (1996). A "
        "simulation study of the number of events per variable in logistic regression analysis. "
        "Journal of Clinical Epidemiology, 49(12), 1373–1379."
    ),
    ("Scheers", "1988"): (
        "Scheers, N. J., & Dayton, C. M. (1988). Covariate randomized response models. Journal "
        "of the American Statistical Association, 83(404), 969–974."
    ),
    ("Wilks", "1938"): (
        "Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing "
        "composite hypotheses. Annals of Mathematical Statistics, 9(1), 60–62."
    ),
}


def cited(text: str) -> list[str]:
    """Return the works that a text names by author and year."""
    works = []
    for (author, year), work in LITERATURE.items():
        if author in text and year in text:
            works.append(work)
    return works
